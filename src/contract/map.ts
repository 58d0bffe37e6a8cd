import { z } from 'zod'
import { MetricAction } from './metrics.ts'
import { Id, call, json } from './route.ts'

export const MapMarker = z.object({
  position: z.object({ lat: z.number(), lng: z.number() }),
  info: z.object({
    id: Id,
    property_name: z.string(),
    address: z.string(),
    address_2: z.string(),
    meta: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
})
export type MapMarker = z.output<typeof MapMarker>

export const PropertyMap = z.object({
  markers: z.array(MapMarker),
  /** Active properties without a position, and the list that shows them; null if there are none. */
  missing: z.object({ count: z.number(), text: z.string(), action: MetricAction.nullable() }).nullable(),
})
export type PropertyMap = z.output<typeof PropertyMap>

export const mapCalls = {
  ofAccount: call(
    'GET',
    '/account_properties/:id/map',
    'view_account_properties',
    'Active properties of an account with a position; the id is the account’s',
    { output: json(PropertyMap) },
  ),
}
