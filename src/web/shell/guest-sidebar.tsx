import { Anchor, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import IconLayoutSidebarLeftCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftCollapse.mjs'
import IconLayoutSidebarLeftExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarLeftExpand.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconLogin2 from '@tabler/icons-react/dist/esm/icons/IconLogin2.mjs'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState, type ComponentPropsWithRef } from 'react'
import { inviteCalls } from '#contract/account-invites.ts'
import { onlyUploads } from '#contract/default-roles.ts'
import { api } from '#web/data/client.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { signOut, useCan, useSession } from '#web/data/session.ts'
import { isCollected } from '#web/engines/account/collecting.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { Logo } from '#web/ui/logo.tsx'
import { toast } from '#web/ui/toast.tsx'
import { SCHEME_ICONS } from './scheme-icons.ts'
import classes from './sidebar.module.css'

const Menu = lazyPart(async () => (await import('./color-scheme-menu.tsx')).ColorSchemeMenu, { fallback: ({ target }) => target })

interface GuestSidebarProps {
  open: boolean
  /** Absent where the sidebar covers the content and is closed as a whole. */
  onToggle?: () => void
  onLeave?: () => void
}

/** The sidebar of people from outside: what this is, and no way to anything else. */
export function GuestSidebar({ open, onToggle, onLeave }: GuestSidebarProps) {
  const { auth_user: user, config } = useSession()
  const Toggle = open ? IconLayoutSidebarLeftCollapse : IconLayoutSidebarLeftExpand
  const leave = () => {
    onLeave?.()
    void signOut()
  }
  return (
    <div className={classes['sidebar']} data-open={open || undefined}>
      <div className={classes['brand']}>
        <Logo size={28} onDark />
        {open && <span>{config.product}</span>}
      </div>
      {open && <Welcome />}
      <nav aria-label="Main" className={classes['items']}>
        <LearnMore href={config.learn_more_url || paths.about()} withLabel={open} />
      </nav>
      <div className={classes['foot']}>
        {open && user.via_invite && (
          <div className={classes['who']}>
            <span className={classes['name']}>{user.full_name}</span>
            <span className={classes['plan']}>{user.email}</span>
          </div>
        )}
        <Appearance withLabel={open} />
        {user.via_invite && !user.via_preview && <SetPassword withLabel={open} />}
        {user.via_preview ? null : user.via_invite ? (
          <Item label="Logout" Icon={IconLogout} withLabel={open} onClick={leave} />
        ) : (
          <Item label="Login" Icon={IconLogin2} withLabel={open} onClick={leave} />
        )}
        {onToggle !== undefined && (
          <Item label={open ? 'Collapse sidebar' : 'Expand sidebar'} Icon={Toggle} withLabel={open} onClick={onToggle} />
        )}
      </div>
    </div>
  )
}

interface ItemProps extends ComponentPropsWithRef<'button'> {
  label: string
  Icon: typeof IconKey
  withLabel: boolean
}

const Item = ({ label, Icon, withLabel, ...rest }: ItemProps) => (
  <UnstyledButton
    {...rest}
    className={classes['item'] ?? ''}
    aria-label={withLabel ? undefined : label}
    title={withLabel ? undefined : label}
  >
    <Icon size={20} stroke={1.6} aria-hidden />
    {withLabel && <span>{label}</span>}
  </UnstyledButton>
)

/** Its menu loads when it is opened first. */
function Appearance({ withLabel }: { withLabel: boolean }) {
  const Icon = SCHEME_ICONS[useMantineColorScheme().colorScheme]
  const [wanted, setWanted] = useState(false)
  const item = <Item label="Appearance" Icon={Icon} withLabel={withLabel} />
  return wanted ? (
    <Menu initiallyOpen target={item} />
  ) : (
    <Item label="Appearance" Icon={Icon} withLabel={withLabel} onClick={() => setWanted(true)} />
  )
}

/** The account in the address; undefined until it is loaded. */
function useShownAccount() {
  const id = /^\/accounts\/([^/]+)/.exec(useLocation().pathname)?.[1]
  return useQuery({ ...accountQueries.account(id ?? ''), enabled: id !== undefined }).data
}

/** What people from outside can do here, in a few steps. */
function Welcome() {
  const can = useCan()
  const uploads = onlyUploads(useSession().auth_user.roles)
  const { data } = useQuery(accountQueries.inviting())
  const account = useShownAccount()
  const download = can('download_files') ? ['Download what you need'] : []
  const steps = uploads
    ? ['Add your documents', 'Keep the receipt of what arrived']
    : account !== undefined && isCollected(account)
      ? ['Look at the documents that arrived', ...download]
      : ['Read the overview', 'Look at properties and documents', ...download]
  const asks = uploads ? 'needs documents from you' : 'has shared this submission with you'
  return (
    <section className={classes['welcome']} aria-label="Welcome">
      <h2>Welcome</h2>
      <p>{`${data?.full_name ?? 'The sender'} ${asks}.`}</p>
      <p>{uploads ? 'You see only the documents that you add.' : 'You see it as it is now.'}</p>
      <ol>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </section>
  )
}

function LearnMore({ href, withLabel }: { href: string; withLabel: boolean }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" className={classes['item'] ?? ''} aria-label="Learn More" underline="never">
      <IconInfoCircle size={20} stroke={1.6} aria-hidden />
      {withLabel && <span>Learn More</span>}
    </Anchor>
  )
}

/** The link goes to the invited address, not to the reader of this page. */
function SetPassword({ withLabel }: { withLabel: boolean }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api(inviteCalls.setPassword),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => showError(error),
  })
  return <Item label="Set a password" Icon={IconKey} withLabel={withLabel} onClick={() => !isPending && mutate()} />
}
