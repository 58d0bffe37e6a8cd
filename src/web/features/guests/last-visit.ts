import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { Account } from '#contract/accounts.ts'
import { VISIT_GAP_MS } from '#contract/guest-limits.ts'
import { useSession } from '#web/data/session.ts'

const KEY = 'plumbline.visits'
const REMEMBERED_ACCOUNTS = 50

/** What a person saw last in a visit. */
const Visit = z.object({ at: z.iso.datetime(), tiv: z.number().nullable(), currency: z.string().nullable() })
export type Visit = z.output<typeof Visit>
const Stored = z.array(z.tuple([z.string(), z.object({ previous: Visit.nullable(), current: Visit })]))
type Stored = z.output<typeof Stored>

/** What is stored may be from another release, or not be stored at all. */
function read(): Stored {
  try {
    return Stored.parse(JSON.parse(window.localStorage.getItem(KEY) ?? '[]'))
  } catch {
    return []
  }
}

/** The visit before the present one, which it becomes after a while without a look. Null on the first visit in this browser. */
export function recordVisit({ id, tiv, currency }: Account, now: Date): Visit | null {
  const stored = read()
  const known = stored.find(([accountId]) => accountId === id)?.[1]
  const goesOn = known !== undefined && now.getTime() - Date.parse(known.current.at) < VISIT_GAP_MS
  const previous = known === undefined ? null : goesOn ? known.previous : known.current
  const others = stored.filter(([accountId]) => accountId !== id).slice(0, REMEMBERED_ACCOUNTS - 1)
  const current = { at: now.toISOString(), tiv, currency }
  window.localStorage.setItem(KEY, JSON.stringify([[id, { previous, current }], ...others] satisfies Stored))
  return previous
}

/** A preview of the account is not a visit. */
export function useLastVisit(account: Account): Visit | null {
  const { via_preview: isPreview } = useSession().auth_user
  const [previous] = useState(() => (isPreview ? null : recordVisit(account, new Date())))
  useEffect(() => {
    if (!isPreview) recordVisit(account, new Date())
  }, [account, isPreview])
  return previous
}
