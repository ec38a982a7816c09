import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { qrCodeOf } from '../../ui/src/account/qr-code.ts'

const known = readFileSync(join(import.meta.dirname, '../known-answers/qr-code.txt'), 'utf8')

t.test('the QR code of a key equals the one that another encoder makes', async (t) => {
  const uri = 'otpauth://totp/Graphstead:ada?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Graphstead'
  t.equal(qrCodeOf(uri).toString({ on: '#', off: '.', pad: 0 }).trim(), known.trim())
})
