import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** A Fastify plugin whose routes take their types from their TypeBox schemas. */
export type Plugin<Options extends object = Record<never, never>> = FastifyPluginAsyncTypebox<Options>
