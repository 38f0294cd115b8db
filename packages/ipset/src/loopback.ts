import type { Address } from './address.ts'

/** 127.0.0.0/8 or ::1: two of the three conditions that satisfy `Require local`. */
export function isLoopback(address: Address): boolean {
  if (address.family === 4) return address.w0 >>> 24 === 127
  return address.w0 === 0 && address.w1 === 0 && address.w2 === 0 && address.w3 === 1
}
