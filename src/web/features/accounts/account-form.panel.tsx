import { Input, SegmentedControl } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { ACCOUNT_TYPES } from '#contract/accounts.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { RecordForm } from '#web/engines/form/record-form.tsx'
import { NoSubscription } from '#web/engines/account/no-subscription.tsx'
import { RoutePanel, useClosePanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'

const NEEDS = { standard: 'create_standard_accounts', managed: 'create_simple_accounts' } as const
type AccountType = keyof typeof ACCOUNT_TYPES
const TYPES: readonly AccountType[] = ['standard', 'managed']

const ORDER: ('label' | 'input' | 'description')[] = ['label', 'input', 'description']

/** What each type is for. */
function useMeanings(): Record<AccountType, string> {
  const { provider } = useSession().config
  return {
    standard: 'You import its schedule and organize its documents yourself.',
    managed: `Documents are collected from you or from people you invite, and ${provider} organizes them.`,
  }
}

/** The page under the panel, which opens over the dashboard, the list and the account itself. */
function useUnderlyingPath(id: string | null): string {
  const { pathname } = useLocation()
  if (pathname === paths.startAccount() || pathname.startsWith('/quickview/')) return paths.dashboard()
  return id !== null && pathname.endsWith('/edit-overview') ? paths.account(id) : paths.accounts()
}

/** Starts an account of one of the two types, with values from the address, or edits the one in the address. */
export function AccountFormPanel({ id = null }: { id?: string | null }) {
  const under = useUnderlyingPath(id)
  const navigate = useNavigate()
  const close = useClosePanel(under)
  const can = useCan()
  const meaning = useMeanings()
  const types = TYPES.filter((name) => can(NEEDS[name]))
  const params = useSearchParams()
  const { pathname } = useLocation()
  const first = params['type'] ?? (pathname === paths.startAccount() ? 'managed' : 'standard')
  // Chosen once, so that a permission that is taken away does not clear what was entered.
  const [type, setType] = useState(() => types.find((name) => name === first) ?? types[0] ?? 'managed')
  const isAllowed = id !== null || types.includes(type)
  const entered = useRef<Record<string, string>>({})
  const [prefill, setPrefill] = useState<Record<string, string>>(params)
  const onEntered = useCallback((texts: Record<string, string>) => void (entered.current = texts), [])
  // The form of the other type begins with what was entered.
  const choose = (next: AccountType) => {
    setPrefill({ ...prefill, ...entered.current })
    setType(next)
  }
  return (
    <RoutePanel title={id === null ? 'Start an Account' : 'Edit account'} closeTo={under}>
      {id === null && <NoSubscription />}
      {id === null && (types.length > 1 || (types.length === 1 && !isAllowed)) && (
        <Input.Wrapper label="Account type" labelElement="div" description={meaning[type]} inputWrapperOrder={ORDER} mb="md">
          <SegmentedControl
            fullWidth
            aria-label="Account type"
            value={type}
            onChange={choose}
            data={types.map((name) => ({ value: name, label: ACCOUNT_TYPES[name] }))}
          />
        </Input.Wrapper>
      )}
      <RecordForm
        key={type}
        model="accounts"
        id={id}
        {...(id === null ? { presets: { type }, prefill, onEntered } : {})}
        notNow={
          isAllowed ? null : `You are not allowed to start ${types.length === 0 ? 'accounts' : `${type} accounts. Choose the other type`}.`
        }
        saveLabel={id === null ? 'Start account' : 'Save changes'}
        onSaved={(saved) => (id === null ? void navigate({ to: paths.account(saved) }) : close())}
        onCancel={close}
      />
    </RoutePanel>
  )
}
