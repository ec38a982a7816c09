/** The default values of elements, by name. A file may declare additional defaults between the elements. */
export class Defaults {
  readonly values = new Map<string, unknown>()
  /** The approximate number of characters that the defaults add to each element, including repeated declarations. */
  weight = 0

  /** Sets a default unless the value is undefined. The first declaration of each name takes effect. */
  set(name: string, value: unknown) {
    if (value === undefined) return
    this.weight += name.length + String(value).length + 8
    if (!this.values.has(name)) this.values.set(name, value)
  }
}
