/** Memoizes a function by object identity. The objects must not change. */
export function oncePer<K extends object, V>(compute: (object: K) => V): (object: K) => V {
  const results = new WeakMap<K, V>()
  return (object) => {
    if (!results.has(object)) results.set(object, compute(object))
    return results.get(object) as V
  }
}
