import { toSvgPath } from 'lean-qr/extras/svg'
import { text } from '../text/index.ts'
import { qrCodeOf } from './qr-code.ts'

/** The width of the margin that scanners require, in modules. */
const MARGIN = 4

/** Shows the address of a key as a QR code. It is black on white in dark mode too, because many scanners require that. */
export default function KeyImage({ uri }: { uri: string }) {
  const code = qrCodeOf(uri)
  const size = code.size + 2 * MARGIN
  return (
    <svg
      role="img"
      aria-label={text.secondFactor.image}
      viewBox={`${-MARGIN} ${-MARGIN} ${size} ${size}`}
      width={size * 4}
      height={size * 4}
      shapeRendering="crispEdges"
    >
      <rect x={-MARGIN} y={-MARGIN} width={size} height={size} fill="#fff" />
      <path d={toSvgPath(code)} fill="#000" />
    </svg>
  )
}
