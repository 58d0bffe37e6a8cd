import { Tooltip, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import IconFolders from '@tabler/icons-react/dist/esm/icons/IconFolders.mjs'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { Link } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'
import type { InitData } from '#contract/init.ts'
import type { PermissionName } from '#contract/permissions.ts'
import type { Found } from '#contract/search.ts'
import type { FoundModel } from '#web/data/queries.ts'
import { can, signOut, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { useHasSubscription } from '#web/engines/account/no-subscription.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { ColorSchemeMenu } from './color-scheme-menu.tsx'
import { SCHEME_ICONS } from './scheme-icons.ts'
import classes from './sidebar.module.css'

/** What the shell shows of a model: an item in the sidebar if it has a page, and a group in global search if that finds it. */
export interface ShellModel {
  label: string
  needs: PermissionName
  page?: { to: string; Icon: typeof IconSearch }
  found?: FoundGroup
}

/** A model that global search finds. */
export interface FoundGroup {
  model: FoundModel
  label: string
  /** Where all results can be listed, and the permission to search that list. */
  list?: { path: string; searchedWith: PermissionName }
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

function pagesOf(session: InitData, models: readonly ShellModel[]) {
  // Replaces the list of accounts for users without permission for it.
  const assigned = can(session, 'view_account_details') && !can(session, 'view_accounts_component')
  return [
    ...(can(session, 'view_dashboard_component') ? [{ label: 'Dashboard', to: paths.dashboard(), Icon: IconLayoutDashboard }] : []),
    ...models.flatMap(({ label, page }) => (page === undefined ? [] : [{ label, ...page }])),
    ...(assigned ? [{ label: 'Your accounts', to: paths.assignedAccounts(), Icon: IconFolders }] : []),
  ]
}

export function Sidebar({ models, open, onToggle, onSearch, onLeave }: SidebarProps) {
  const session = useSession()
  const { auth_user: user, config } = session
  const hasSubscription = useHasSubscription()
  const Toggle = open ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  return (
    <div className={classes['sidebar']} data-open={open || undefined}>
      <Link to={paths.dashboard()} className={classes['brand']} aria-label={`${config.product}, home`} onClick={onLeave}>
        <Logo size={28} onDark />
        {open && <span>{config.product}</span>}
      </Link>
      <nav aria-label="Main" className={classes['items']}>
        {can(session, 'view_global_search') && (
          <Item label="Global Search" hint="/" Icon={IconSearch} withLabel={open} onClick={onSearch} />
        )}
        {pagesOf(session, models).map((page) => (
          <Item key={page.to} {...page} withLabel={open} onClick={onLeave} />
        ))}
      </nav>
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
            {hasSubscription && (
              <Link to={paths.settings()} className={classes['plan']} onClick={onLeave}>
                {user.subscription.name}
              </Link>
            )}
          </div>
        )}
        <Appearance withLabel={open} />
        <Item label="Settings" to={paths.settings()} Icon={IconSettings} withLabel={open} onClick={onLeave} />
        <Item label="My Profile" to={paths.profile()} Icon={IconUser} withLabel={open} onClick={onLeave} />
        <Item label="Logout" Icon={IconLogout} withLabel={open} onClick={() => void signOut()} />
        {onToggle !== undefined && (
          <Item label={open ? 'Collapse sidebar' : 'Expand sidebar'} Icon={Toggle} withLabel={open} onClick={onToggle} />
        )}
      </div>
    </div>
  )
}

function Appearance({ withLabel }: { withLabel: boolean }) {
  const Icon = SCHEME_ICONS[useMantineColorScheme().colorScheme]
  return <ColorSchemeMenu target={<Item label="Appearance" Icon={Icon} withLabel={withLabel} />} />
}

interface ItemProps extends Pick<ComponentPropsWithRef<'button'>, 'ref'> {
  label: string
  Icon: typeof IconSearch
  /** A closed sidebar shows icons only, so their names are in tooltips. */
  withLabel: boolean
  hint?: string
  onClick?: (() => void) | undefined
  /** Makes it a link to a page instead of a button. */
  to?: string
}

function Item({ label, Icon, withLabel, hint, to, ...rest }: ItemProps) {
  const content = (
    <>
      <Icon size={20} stroke={1.6} aria-hidden />
      {withLabel && <span>{label}</span>}
      {withLabel && hint !== undefined && <kbd className={classes['hint']}>{hint}</kbd>}
    </>
  )
  const shared = { className: classes['item'], 'aria-label': label, children: content }
  return (
    <Tooltip label={label} position="right" disabled={withLabel}>
      {to === undefined ? (
        <UnstyledButton {...rest} {...shared} />
      ) : (
        <Link to={to} activeOptions={{ exact: to === '/' }} onClick={rest.onClick} {...shared} />
      )}
    </Tooltip>
  )
}
