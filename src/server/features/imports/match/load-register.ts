import { sql } from 'kysely'
import { PROPERTY_FIELD_NAMES, type PropertyValues } from '#contract/property-fields.ts'
import type { Reader } from '#server/access/viewer.ts'
import type { RegisterRow } from './register-row.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'

type Row = PropertyValues & {
  id: string
  status: string
  deleted_at: Date | null
  version: number
  address_key: string | null
  weak_address_key: string | null
  custom: Record<string, string>
}

const PAGE_ROWS = 1_000

/** The whole register of an account, the divested and the trashed included, a page at a time. */
export async function loadRegister(db: Reader, accountId: string): Promise<RegisterRow[]> {
  const columns = sql.raw(PROPERTY_FIELD_NAMES.join(', '))
  const register: RegisterRow[] = []
  let last = NIL_UUID
  for (;;) {
    const { rows } = await sql<Row>`SELECT id, status, deleted_at, version, address_key, weak_address_key, custom, ${columns}
      FROM account_properties WHERE account_id = ${accountId} AND id > ${last} ORDER BY id LIMIT ${PAGE_ROWS}`.execute(db)
    for (const { id, status, deleted_at, version, address_key, weak_address_key, custom, ...values } of rows) {
      register.push({
        id,
        status: status === 'divested' ? 'divested' : 'active',
        trashed: deleted_at !== null,
        version,
        addressKey: address_key,
        weakAddressKey: weak_address_key,
        values,
        custom,
      })
    }
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE_ROWS) return register
    last = end.id
  }
}
