const authorization = (credentials) => `Basic ${Buffer.from(credentials).toString('base64')}`

/** Values of the Authorization field for the only user. */
export const AUTHORIZATION = { right: authorization('bench:secret'), wrong: authorization('bench:guess') }

/** The user's line in a password file, by algorithm. */
export const PASSWORD_HASHES = {
  sha1: 'bench:{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=',
  apr1: 'bench:$apr1$mj.V69oH$l39snbNXTZwr57M41oMi41',
  bcrypt: 'bench:$2y$05$wMENNkEBmC5I2p.u9GjxYOyOYKEMCBSn0fCxU255abXHQHn2d999e',
}
