import manifest from '../package.json' with { type: 'json' }

/** Of Graphstead, as in package.json. */
export const version: string = manifest.version
