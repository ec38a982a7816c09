/** The values that elements have by default, by their names. They may be declared between the elements. */
export class Defaults {
  readonly values = new Map<string, unknown>()
  /** How many characters they weigh in each element, about. */
  weight = 0

  /** Sets a default, if the value is one. The first of a name stays. */
  set(name: string, value: unknown) {
    if (value === undefined || this.values.has(name)) return
    this.values.set(name, value)
    this.weight += name.length + String(value).length + 8
  }
}
