import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { lazy, Suspense, useState } from 'react'
import { useCan } from '#web/data/session.ts'

const StartAccountModal = lazy(() =>
  import('./start-account-modal.tsx').then(({ StartAccountModal: component }) => ({ default: component })),
)

/** Opens the short form of a new managed account, for those who may start one. */
export function StartAccountButton() {
  const can = useCan()
  const [open, setOpen] = useState(false)
  if (!can('create_accounts') || !can('create_simple_accounts')) return null
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Start an Account
      </Button>
      {open && (
        <Suspense>
          <StartAccountModal onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
