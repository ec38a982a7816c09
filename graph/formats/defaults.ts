/** The values that elements have by default, by their names. They may be declared between the elements. */
export class Defaults {
  readonly values = new Map<string, unknown>()
  /** How many characters they weigh in each element, about; those that others of their name hide as well. */
  weight = 0

  /** Sets a default, if the value is one. The first of a name stays. */
  set(name: string, value: unknown) {
    if (value === undefined) return
    this.weight += name.length + String(value).length + 8
    if (!this.values.has(name)) this.values.set(name, value)
  }
}
