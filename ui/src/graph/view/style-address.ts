import { numberFormats } from '../../../../picture/model/number-formats.ts'
import { scaleNames } from '../../../../picture/model/number-scales.ts'
import { palettes } from '../../../../picture/model/palettes.ts'
import { lineStyles, shapes } from '../../../../picture/model/shapes.ts'
import type { GraphView, Style } from '../../api.ts'

/** Returns a part of a style without invalid fields, or undefined if nothing remains. */
type Check = (value: unknown) => unknown

/** The limits of the API. */
const MOST_VALUES = 100
const LONGEST_VALUE = 255
const LONGEST_NAME = 100
const LONGEST = 16 * 1024

const text =
  (most: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= most ? value : undefined

const number =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most ? value : undefined

const oneOf =
  (words: readonly unknown[]): Check =>
  (value) =>
    words.includes(value) ? value : undefined

const colour: Check = (value) => (typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value : undefined)

/** Checks each value of an object, whose keys are arbitrary text. */
const byText =
  (check: Check): Check =>
  (value) => {
    if (!isObject(value)) return undefined
    const entries = Object.entries(value).filter(
      ([key, member]) => key.length <= LONGEST_VALUE && check(member) !== undefined
    )
    return entries.length > 0 ? Object.fromEntries(entries.slice(0, MOST_VALUES)) : undefined
  }

/** Checks the known fields of an object. */
const fields =
  (checks: Record<string, Check>): Check =>
  (value) => {
    if (!isObject(value)) return undefined
    const entries = Object.entries(checks).flatMap(([name, check]) => {
      const checked = Object.hasOwn(value, name) ? check(value[name]) : undefined
      return checked === undefined ? [] : [[name, checked] as const]
    })
    return entries.length > 0 ? Object.fromEntries(entries) : undefined
  }

const range = (least: number, most: number): Check => {
  const check = fields({ least: number(least, most), greatest: number(least, most) })
  return (value) => {
    const checked = check(value) as object | undefined
    return checked && Object.keys(checked).length === 2 ? checked : undefined
  }
}

const order: Check = (value) =>
  Array.isArray(value) &&
  value.length <= MOST_VALUES &&
  value.every((member) => text(LONGEST_VALUE)(member) !== undefined)
    ? value
    : undefined

const gradient: Check = (value) =>
  Array.isArray(value) &&
  (value.length === 2 || value.length === 3) &&
  value.every((member) => colour(member) !== undefined)
    ? value
    : undefined

const values = {
  palette: oneOf(Object.values(palettes).flatMap((kind) => Object.keys(kind))),
  gradient,
  scale: oneOf(scaleNames),
  colours: byText(colour),
  paletteColours: byText(colour),
  names: byText(text(LONGEST_NAME)),
  titles: byText(text(LONGEST_NAME)),
  order,
  formats: byText(oneOf(numberFormats))
}

const checkStyle = fields({
  nodes: fields({ ...values, shapes: byText(oneOf(shapes)), sizes: range(1, 200), opacity: number(0, 1) }),
  edges: fields({
    ...values,
    lines: byText(oneOf(lineStyles)),
    widths: range(0.1, 50),
    opacity: number(0, 1),
    curvature: number(0, 1),
    arrows: oneOf([true, false])
  }),
  labels: fields({
    rule: oneOf(['all', 'important', 'none']),
    size: number(6, 48),
    bySize: oneOf([true, false]),
    most: (value) => (Number.isInteger(value) ? number(1, 1000)(value) : undefined),
    font: oneOf(['sans', 'serif'])
  }),
  legend: fields({ counts: oneOf([true, false]) }),
  background: colour
})

/** Parses a style in JSON. Ignores invalid fields, because anybody may have written the address. */
export function readStyle(json: string | null): Style | undefined {
  if (json === null || json.length > LONGEST) return undefined
  try {
    return checkStyle(JSON.parse(json)) as Style | undefined
  } catch {
    return undefined
  }
}

/** Returns a style without empty parts, or undefined if nothing remains. */
export function tidyStyle(style: Style): Style | undefined {
  return checkStyle(style) as Style | undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Separates the style from the query of a page, as saved views and links store them. */
export function viewOfQuery(query: string): GraphView {
  const params = new URLSearchParams(query)
  const style = readStyle(params.get('style'))
  params.delete('style')
  return { query: params.toString(), ...(style && { style }) }
}

/** Returns the query of the page that shows a view. */
export function queryOf({ query, style }: GraphView): string {
  const params = new URLSearchParams(query)
  if (style) params.set('style', JSON.stringify(style))
  return params.toString()
}
