import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'

/** A Fastify plugin that infers the types of its routes from their TypeBox schemas. */
export type Plugin<Options extends object = Record<never, never>> = FastifyPluginAsyncTypebox<Options>
