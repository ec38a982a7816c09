// Declares the colour names, because the package does not include types.

declare module 'color-name' {
  const names: Record<string, [number, number, number]>
  export default names
}
