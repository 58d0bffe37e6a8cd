import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import IconUserPlus from '@tabler/icons-react/dist/esm/icons/IconUserPlus.mjs'
import { useId, type ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { sentenceCase } from '#contract/format.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Contacts } from './contacts.tsx'
import classes from './managed.module.css'
import { useMethod } from './use-method.ts'

/** How the documents of a managed account can be collected: one card for each way that the user can choose. */
export function GetStarted({ account }: { account: Account }) {
  const can = useCan()
  const navigate = useNavigate()
  const { provider } = useSession().config
  const { choose, saving } = useMethod(account)
  const { id, file_retrieval_method: current, accessible_features: features } = account
  const mayChoose = can('update_accounts') && features.update
  const isAsked = current === 'assisted'
  const upload = async () => {
    if (!mayChoose || (await choose('upload'))) void navigate({ to: paths.accountTab(id, 'files') })
  }
  const invite = async () => {
    if (!isAsked || (await choose('upload'))) void navigate({ to: paths.inviteUploader(id) })
  }
  return (
    <>
      <Intro />
      <ul className={classes['cards']}>
        {can('upload_account_files') && features.upload && (
          <Card
            Icon={IconUpload}
            title="Upload the documents myself"
            chosen={current === 'upload'}
            text="Choose or drop files, all at once or over several days."
          >
            <Button loading={saving === 'upload' && !isAsked} variant={isAsked ? 'default' : 'filled'} onClick={() => void upload()}>
              Upload documents
            </Button>
          </Card>
        )}
        {can('create_account_invites') && mayChoose && (
          <Card
            Icon={IconUserPlus}
            title="Invite another party to upload"
            chosen={current === 'invite'}
            text="They get a link to this account, upload their documents and see only those."
          >
            <Button variant="default" onClick={() => void invite()}>
              Invite someone
            </Button>
          </Card>
        )}
        {mayChoose && (
          <Card
            Icon={IconMail}
            title={`${sentenceCase(provider)} retrieves the documents from a data link I email`}
            chosen={isAsked}
            text={<DataLink />}
          >
            <Request isAsked={isAsked} saving={saving} choose={choose} />
          </Card>
        )}
      </ul>
    </>
  )
}

const Intro = () => (
  <div className={classes['intro']}>
    <h2>How would you like to send the documents?</h2>
    <p>
      Statements of values, appraisals, engineering reports, photographs: everything about the properties of this account. You can change
      your choice until the setup begins.
    </p>
  </div>
)

type Method = ReturnType<typeof useMethod>

/** The request to the provider, or its end. */
const Request = ({ isAsked, saving, choose }: Method & { isAsked: boolean }) =>
  isAsked ? (
    <>
      <span className={classes['chosen']}>
        <IconCheck size={16} aria-hidden /> Requested
      </span>
      <Button variant="default" loading={saving === 'upload'} onClick={() => void choose('upload')}>
        Cancel the request
      </Button>
    </>
  ) : (
    <Button variant="default" loading={saving === 'assisted'} onClick={() => void choose('assisted')}>
      Request collection
    </Button>
  )

interface CardProps {
  Icon: typeof IconUpload
  title: string
  chosen: boolean
  text: ReactNode
  children: ReactNode
}

function Card({ Icon, title, chosen, text, children }: CardProps) {
  const id = useId()
  return (
    <li className={classes['card']} data-chosen={chosen || undefined} aria-labelledby={id}>
      <Icon size={22} stroke={1.6} aria-hidden />
      <h3 id={id}>{title}</h3>
      {typeof text === 'string' ? <p>{text}</p> : text}
      <div className={classes['foot']}>{children}</div>
    </li>
  )
}

/** Where the link to a data room is sent. */
function DataLink() {
  return (
    <>
      <p>Email a link to your data room or shared folder. The documents are collected and uploaded for you.</p>
      <Contacts />
    </>
  )
}
