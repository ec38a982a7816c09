/** The default values of elements by name. They may be declared between the elements. */
export class Defaults {
  readonly values = new Map<string, unknown>()
  /** The approximate characters of the defaults in each element, including those that another value of their name hides. */
  weight = 0

  /** Sets a default unless the value is undefined. The first of each name wins. */
  set(name: string, value: unknown) {
    if (value === undefined) return
    this.weight += name.length + String(value).length + 8
    if (!this.values.has(name)) this.values.set(name, value)
  }
}
