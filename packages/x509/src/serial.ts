/** @param contents of an INTEGER @returns upper-case hexadecimal digits as OpenSSL prints a serial: two per byte, `-` before a negative one */
export function serialHex(contents: Buffer): string {
  if (contents[0] < 0x80) return magnitude(contents)
  const bits = BigInt(contents.length * 8)
  return `-${evenHex((1n << bits) - BigInt(`0x${contents.toString('hex')}`))}`
}

/** A serial in decimal digits, as SSL_CLIENT_CERT_RFC4523_CEA shows it. @param hex as in `Certificate.serial` */
export function serialDecimal(hex: string): string {
  return hex.startsWith('-') ? `-${BigInt(`0x${hex.slice(1)}`)}` : BigInt(`0x${hex}`).toString()
}

function magnitude(contents: Buffer): string {
  const significant = contents.length > 1 && contents[0] === 0 ? contents.subarray(1) : contents
  return significant.toString('hex').toUpperCase()
}

function evenHex(value: bigint): string {
  const hex = value.toString(16).toUpperCase()
  return hex.length % 2 === 0 ? hex : `0${hex}`
}
