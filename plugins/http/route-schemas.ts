import type { FastifyInstance, RouteOptions } from 'fastify'

/** The parts of a route's schema contributed by its context. */
interface Addition {
  security?: Record<string, string[]>[]
  response: object
}

/** Adds the result of `additionFor` to the schema of each route in the context. Responses defined by a route take precedence. */
export function extendSchemas(context: FastifyInstance, additionFor: (route: RouteOptions) => Addition) {
  context.addHook('onRoute', (route) => {
    const { schema = {} } = route
    const { response, ...rest } = additionFor(route)
    route.schema = { ...schema, ...rest, response: { ...response, ...(schema.response as object | undefined) } }
  })
}
