/** A round sample of a colour. */
export function Swatch({ colour }: { colour: string }) {
  return <span className="swatch" style={{ background: colour }} />
}
