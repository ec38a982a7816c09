import type { FastifyInstance, RouteOptions } from 'fastify'

/** Parts of a route's schema that its context knows. */
interface Addition {
  security?: Record<string, string[]>[]
  response: object
}

/** Adds to the schema of each route in the context what `additionFor` returns for it. A response of the route's own stays. */
export function extendSchemas(context: FastifyInstance, additionFor: (route: RouteOptions) => Addition) {
  context.addHook('onRoute', (route) => {
    const { schema = {} } = route
    const { response, ...rest } = additionFor(route)
    route.schema = { ...schema, ...rest, response: { ...response, ...(schema.response as object | undefined) } }
  })
}
