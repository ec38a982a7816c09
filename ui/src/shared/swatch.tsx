/** A round colour sample. */
export function Swatch({ colour }: { colour: string }) {
  return <span className="swatch" style={{ background: colour }} />
}
