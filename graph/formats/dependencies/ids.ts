/** Returns the id of a package, such as `left-pad@1.3.0`. A missing package has no version. */
export function packageId(name: string, version: unknown) {
  return typeof version === 'string' && version !== '' ? `${name}@${version}` : name
}
