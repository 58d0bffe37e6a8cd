import { createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadCode } from './data/load-code.ts'
import type { Entered } from './guards.ts'

interface RouteOptions {
  staticData?: { name: string }
  beforeLoad?: (entered: Entered) => void | Promise<void>
  component?: RouteComponent
}

type Parent = NonNullable<Parameters<typeof createRoute>[0]['getParentRoute']> extends () => infer R ? R : never
/** The name of a route for programs outside of the page, such as reports of errors. */
export const named = (name: string) => ({ staticData: { name } })
/** A route below another one. */
export const at = <const R extends Parent, const P extends string>(parent: R, path: P, options: RouteOptions = {}) =>
  createRoute({ getParentRoute: () => parent, path, ...options })

interface RouteWithParams {
  types: { allParams: object }
  useParams: () => object
  update: (options: { component: RouteComponent }) => unknown
}

/** The page of a route, loaded when the route is opened. */
export const lazyPage = <M extends Record<K, ComponentType>, K extends string>(load: () => Promise<M>, name: K) =>
  lazyRouteComponent(() => loadCode(load), name)

/** Loads a component when its route is opened and gives it the params of the route as props. */
export function withParams<R extends RouteWithParams>(route: R, load: () => Promise<ComponentType<R['types']['allParams']>>): R {
  const importer = async () => {
    const Component = await loadCode(load)
    return { Component: () => <Component {...route.useParams()} /> }
  }
  route.update({ component: lazyRouteComponent(importer, 'Component') })
  return route
}
