import { corners, dashesOf, type LineStyle, type Shape } from '../../../picture/model/shapes.ts'

/** A round colour sample, or one with the shape of a node or the line of an edge. */
export function Swatch({ colour, mark }: { colour: string; mark?: string | undefined }) {
  const points = mark === undefined ? undefined : corners[mark as Shape]
  const dashes = dashesOf(mark as LineStyle | undefined, 1)
  if (!points && dashes.length === 0) return <span className="swatch" style={{ background: colour }} />
  return (
    <svg className="swatch-mark" viewBox="-1 -1 2 2" aria-hidden>
      {points ? (
        <polygon points={points.map((point) => point.join()).join(' ')} fill={colour} />
      ) : (
        <line x1={-1} x2={1} stroke={colour} strokeWidth={0.4} strokeDasharray={dashes.map((n) => n / 6).join(' ')} />
      )}
    </svg>
  )
}
