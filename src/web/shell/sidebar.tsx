import { Tooltip, UnstyledButton } from '@mantine/core'
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InitData } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import type { Found } from '#contract/search.ts'
import type { FormModel } from '#web/data/queries.ts'
import { can, signOut, useSession } from '#web/data/session.ts'
import { modelPaths, paths } from '#web/paths.ts'
import { ColorSchemeButton } from '#web/ui/color-scheme-button.tsx'
import { Logo } from '#web/ui/logo.tsx'
import classes from './sidebar.module.css'

/** What the shell shows of a model: an item in the sidebar if it has an icon, and a group in global search. */
export interface ShellModel {
  model: FormModel
  label: string
  needs: PermissionName
  Icon?: typeof IconSearch
  /** The page of a record that global search found. */
  to: (found: Found) => string
}

interface SidebarProps {
  /** Those that the user has access to. */
  models: readonly ShellModel[]
  open: boolean
  /** Absent where the sidebar covers the content and is closed as a whole. */
  onToggle?: () => void
  onSearch: () => void
  onLeave?: () => void
}

function sidebarItems(session: InitData, models: readonly ShellModel[]) {
  // Replaces the list of accounts for users without permission for it.
  const assigned = can(session, 'view_account_details') && !can(session, 'view_accounts_component')
  return [
    ...(can(session, 'view_dashboard_component') ? [{ label: 'Dashboard', to: paths.dashboard(), Icon: IconLayoutDashboard }] : []),
    ...models.flatMap(({ model, label, Icon }) => (Icon === undefined ? [] : [{ label, to: modelPaths(model).list(), Icon }])),
    ...(assigned ? [{ label: 'Your accounts', to: paths.assignedAccounts(), Icon: IconFolders }] : []),
  ]
}

export function Sidebar({ models, open, onToggle, onSearch, onLeave }: SidebarProps) {
  const session = useSession()
  return (
    <div className={classes['sidebar']} data-open={open || undefined}>
      <Link to={paths.dashboard()} className={classes['brand']} aria-label={`${session.config.product}, home`} onClick={onLeave}>
        <Logo size={28} onDark />
        {open && <span>{session.config.product}</span>}
      </Link>
      <nav aria-label="Main" className={classes['items']}>
        {can(session, 'view_global_search') && (
          <Item label="Global Search" hint="/" open={open} icon={<IconSearch size={20} stroke={1.6} aria-hidden />} onClick={onSearch} />
        )}
        {sidebarItems(session, models).map(({ label, to, Icon }) => (
          <Tooltip key={to} label={label} position="right" disabled={open}>
            <Link to={to} className={classes['item']} activeOptions={{ exact: to === '/' }} onClick={onLeave} aria-label={label}>
              <Icon size={20} stroke={1.6} aria-hidden />
              {open && <span>{label}</span>}
            </Link>
          </Tooltip>
        ))}
      </nav>
      <SidebarFoot open={open} onToggle={onToggle} />
    </div>
  )
}

function SidebarFoot({ open, onToggle }: { open: boolean; onToggle: (() => void) | undefined }) {
  const { auth_user: user } = useSession()
  const Toggle = open ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  return (
    <div className={classes['foot']}>
      {user.company.logo_url !== null && (
        <span className={classes['logo']}>
          <img src={user.company.logo_url} alt={user.company.name} />
        </span>
      )}
      {open && (
        <div className={classes['who']}>
          <span className={classes['name']}>{user.full_name}</span>
          <span className={classes['plan']}>{user.company.name}</span>
          {user.subscription.id !== '0' && <span className={classes['plan']}>{user.subscription.name}</span>}
        </div>
      )}
      <ColorSchemeButton className={classes['item'] ?? ''} withLabel={open} />
      <Item label="Logout" open={open} icon={<IconLogout size={20} stroke={1.6} aria-hidden />} onClick={() => void signOut()} />
      {onToggle !== undefined && (
        <Item
          label={open ? 'Collapse sidebar' : 'Expand sidebar'}
          open={open}
          icon={<Toggle size={20} stroke={1.6} aria-hidden />}
          onClick={onToggle}
        />
      )}
    </div>
  )
}

function Item({ label, hint, icon, open, onClick }: { label: string; hint?: string; icon: ReactNode; open: boolean; onClick: () => void }) {
  return (
    // A closed sidebar shows icons only, so their names are in tooltips.
    <Tooltip label={label} position="right" disabled={open}>
      <UnstyledButton className={classes['item']} onClick={onClick} aria-label={label}>
        {icon}
        {open && <span>{label}</span>}
        {open && hint !== undefined && <kbd className={classes['hint']}>{hint}</kbd>}
      </UnstyledButton>
    </Tooltip>
  )
}
