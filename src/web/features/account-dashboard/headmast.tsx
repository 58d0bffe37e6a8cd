import { UnstyledButton } from '@mantine/core'
import { useId, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { useFavorite } from '#web/data/favorite.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { FavoriteButton } from '#web/ui/favorite-button.tsx'
import { DownloadsMenu } from './downloads-menu.tsx'
import { headmastCells } from './headmast-cells.ts'
import classes from './headmast.module.css'
import { StatusChoice } from './status-choice.tsx'

interface HeadmastProps {
  account: Account
  downloadsOpen: boolean
}

/** So many stand on a phone until the rest is asked for; the style says the same. */
const FIRST_CELLS = 2

/** Who is behind the account, in which state it is, and what can be taken from it. */
export function Headmast({ account, downloadsOpen }: HeadmastProps) {
  const { auth_user } = useSession()
  const can = useCan()
  const favorite = useFavorite(showError)
  const cells = headmastCells(account, { can, zone: auth_user.company.timezone, viaShareLink: auth_user.via_share_link })
  const [folded, setFolded] = useState(true)
  const cellsId = useId()
  const guest = auth_user.via_invite || auth_user.via_share_link
  return (
    <section className={classes['headmast']} aria-label="Account">
      <dl className={classes['cells']} id={cellsId} data-folded={folded || undefined}>
        {cells.map(({ label, value }, index) => (
          <div key={`${label} ${String(index)}`} className={classes['cell']}>
            <dt>{label}</dt>
            <dd title={value}>{value}</dd>
          </div>
        ))}
      </dl>
      {cells.length > FIRST_CELLS && (
        <UnstyledButton className={classes['fold']} aria-expanded={!folded} aria-controls={cellsId} onClick={() => setFolded(!folded)}>
          {folded ? 'Show all details' : 'Show fewer details'}
        </UnstyledButton>
      )}
      <div className={classes['tools']}>
        {can('view_account_status') && <StatusChoice account={account} />}
        <div className={classes['buttons']}>
          {!guest && can('view_accounts_component') && (
            <FavoriteButton
              favorite={account.favorite}
              of={account.name.text}
              onToggle={(next) => favorite.mutate({ id: account.id, favorite: next })}
            />
          )}
          <DownloadsMenu account={account} initiallyOpen={downloadsOpen} />
        </div>
      </div>
    </section>
  )
}
