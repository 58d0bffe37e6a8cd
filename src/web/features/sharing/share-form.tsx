import { Button, Popover } from '@mantine/core'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import { useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { LinkForm } from './link-form.tsx'
import { NamedLinks } from './named-links.tsx'
import { ShareLink } from './share-link.tsx'
import { ShareSwitch } from './share-switch.tsx'
import classes from './sharing.module.css'
import type { Ask, Editing } from './share-types.ts'

/** Shares an account by links: the one link of the account, and named links with an end, a protection and rights of their own. */
export function ShareForm({ account }: { account: Account }) {
  const [opened, setOpened] = useState(false)
  const [editing, setEditing] = useState<Editing | null>(null)
  const [asking, setAsking] = useState(false)
  // The question is outside of the popover, which a click on it must not close.
  const ask: Ask = async (question) => {
    setAsking(true)
    const agreed = await confirmDialog(question)
    setAsking(false)
    return agreed
  }
  const isHeld = asking || editing !== null
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width="min(480px, calc(100vw - 32px))"
      shadow="md"
      trapFocus
      closeOnClickOutside={!isHeld}
      closeOnEscape={!isHeld}
      returnFocus
    >
      <Popover.Target>
        <Button variant="default" leftSection={<IconShare size={16} aria-hidden />} onClick={() => setOpened(!opened)}>
          Share
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes['form'] ?? ''}>
        {editing === null ? (
          <>
            <ShareSwitch account={account} />
            {account.sharing_enabled && <ShareLink account={account} ask={ask} />}
            <NamedLinks account={account} ask={ask} onEdit={setEditing} />
          </>
        ) : (
          <LinkForm accountId={account.id} link={editing.link} ask={ask} onClose={() => setEditing(null)} />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
