/** A number of two bytes. */
export function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff])
}

/** A vector whose length has two bytes. */
export function vector16(...parts: Uint8Array[]): Buffer {
  const contents = Buffer.concat(parts)
  return Buffer.concat([uint16(contents.length), contents])
}

/** A vector whose length has one byte. */
export function vector8(...parts: Uint8Array[]): Buffer {
  const contents = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([contents.length]), contents])
}

/** An extension with its number and length. */
export function extension(type: number, contents: Uint8Array): Buffer {
  return Buffer.concat([uint16(type), vector16(contents)])
}

/** The server_name extension with this name. */
export function serverName(name: string | Buffer): Buffer {
  return extension(0, vector16(Buffer.from([0]), vector16(Buffer.from(name))))
}

/** A ClientHello message for TLS 1.2 with these extensions. */
export function helloMessage(...extensions: Buffer[]): Buffer {
  const body = Buffer.concat([
    uint16(0x0303),
    Buffer.alloc(32, 7),
    vector8(),
    vector16(uint16(0x1301), uint16(0xc02f)),
    vector8(Buffer.from([0])),
    ...(extensions.length > 0 ? [vector16(...extensions)] : []),
  ])
  return Buffer.concat([Buffer.from([1, 0]), uint16(body.length), body])
}

/** A handshake record. */
export function record(contents: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([22, 3, 1]), vector16(contents)])
}

/** A message in records of a certain size. */
export function records(message: Buffer, size: number): Buffer {
  const all: Buffer[] = []
  for (let at = 0; at < message.length; at += size) all.push(record(message.subarray(at, at + size)))
  return Buffer.concat(all)
}
