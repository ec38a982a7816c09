// Declares the parts of ForceAtlas2 that layouts use, and the colour names, because these packages do not include types.

declare module 'color-name' {
  const names: Record<string, [number, number, number]>
  export default names
}

declare module 'graphology-layout-forceatlas2/defaults.js' {
  const defaults: Record<string, unknown>
  export default defaults
}

declare module 'graphology-layout-forceatlas2/iterate.js' {
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): object
}
