/** The start has failed, and the error log says why. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
