import type { FastifyInstance, RouteOptions } from 'fastify'

/** The parts of a route's schema that its context contributes. */
interface Addition {
  security?: Record<string, string[]>[]
  response: object
}

/**
 * Adds what `additionFor` returns to the schema of each route in the context. Responses that a route defines itself take
 * precedence.
 */
export function extendSchemas(context: FastifyInstance, additionFor: (route: RouteOptions) => Addition) {
  context.addHook('onRoute', (route) => {
    const { schema = {} } = route
    const { response, ...rest } = additionFor(route)
    route.schema = { ...schema, ...rest, response: { ...response, ...(schema.response as object | undefined) } }
  })
}
