import { Input, SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ACCOUNT_TYPES } from '#contract/accounts.ts'
import { useCan } from '#web/data/session.ts'
import { RecordForm } from '#web/engines/form/record-form.tsx'
import { RoutePanel, useClosePanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { useUnderlyingPath } from './panel-place.ts'

const CHOSEN_ABOVE = { hides: (field: { name: string }) => field.name === 'type' }

type AccountType = keyof typeof ACCOUNT_TYPES

function useCreatableTypes(): AccountType[] {
  const can = useCan()
  return [
    ...(can('create_standard_accounts') ? (['standard'] as const) : []),
    ...(can('create_simple_accounts') ? (['managed'] as const) : []),
  ]
}

function TypeChoice({
  types,
  value,
  onChange,
}: {
  types: readonly AccountType[]
  value: AccountType
  onChange: (type: AccountType) => void
}) {
  return (
    <Input.Wrapper label="Account type" labelElement="div" mb="md">
      <SegmentedControl
        fullWidth
        aria-label="Account type"
        value={value}
        onChange={(chosen) => onChange(chosen === 'standard' ? 'standard' : 'managed')}
        data={types.map((type) => ({ value: type, label: ACCOUNT_TYPES[type] }))}
      />
    </Input.Wrapper>
  )
}

/** Starts an account of one of the two types, or changes the one in the address. */
export function AccountFormPanel({ id = null }: { id?: string | null }) {
  const under = useUnderlyingPath(id ?? '')
  const navigate = useNavigate()
  const close = useClosePanel(under)
  const types = useCreatableTypes()
  const [chosen, setChosen] = useState<AccountType>()
  const type = chosen ?? types[0] ?? 'managed'
  const saved = (accountId: string) => (id === null ? void navigate({ to: paths.account(accountId) }) : close())
  return (
    <RoutePanel title={id === null ? 'Start an Account' : 'Edit account'} closeTo={under}>
      {id === null && types.length > 1 && <TypeChoice types={types} value={type} onChange={setChosen} />}
      <RecordForm
        key={type}
        look={CHOSEN_ABOVE}
        model="accounts"
        id={id}
        {...(id === null ? { presets: { type } } : {})}
        saveLabel={id === null ? 'Start account' : 'Save changes'}
        onSaved={(record) => saved(record.id)}
        onCancel={close}
      />
    </RoutePanel>
  )
}
