import { generate, mode } from 'lean-qr'

/** Returns the QR code (ISO/IEC 18004) of an address in ASCII, without the margin. */
export function qrCodeOf(address: string) {
  return generate(mode.ascii(address))
}
