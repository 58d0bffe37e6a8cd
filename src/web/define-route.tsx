import { createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { loadCode } from './data/load-code.ts'
import { isKnownGuest } from './data/session.ts'
import { tokens } from './data/tokens.ts'
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

/**
 * A page that is another one for people from outside. Only the code of the one that is shown loads; before the session has loaded, the
 * tokens say which one that will be.
 */
export function byViewer(Member: RouteComponent, Guest: RouteComponent): RouteComponent {
  const Page: RouteComponent = (props: object) => (isKnownGuest() ? <Guest {...props} /> : <Member {...props} />)
  const preloaded = () => (tokens()?.guest === undefined ? Member : Guest)
  return Object.assign(Page, { preload: async () => preloaded().preload?.() })
}

type Loader<R extends RouteWithParams> = () => Promise<ComponentType<R['types']['allParams']>>

/** Loads a component when its route is opened and gives it the params of the route as props; perhaps another one for people from outside. */
export function withParams<R extends RouteWithParams>(route: R, load: Loader<R>, loadForGuests?: Loader<R>): R {
  const lazily = (loader: Loader<R>) =>
    lazyRouteComponent(async () => {
      const Component = await loadCode(loader)
      return { Component: () => <Component {...route.useParams()} /> }
    }, 'Component')
  const component = lazily(load)
  route.update({ component: loadForGuests === undefined ? component : byViewer(component, lazily(loadForGuests)) })
  return route
}
