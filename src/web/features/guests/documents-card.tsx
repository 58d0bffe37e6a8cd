import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { documentName, type FileRow } from '#contract/account-files.ts'
import type { Account } from '#contract/accounts.ts'
import { formatDate, plural } from '#contract/format.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { paths } from '#web/paths.ts'
import { Card, CardSkeleton, NewTag } from './card.tsx'
import classes from './overview.module.css'

const originalName = (file: FileRow['file']) => file.file.original_file_name

const SHOWN = 5
const HEIGHT_PX = 280

interface DocumentsCardProps {
  account: Account
  isNew: (createdAt: string) => boolean
}

/** The newest documents, and how many there are of each kind. */
export function DocumentsCard({ account: { id, files, show_vanity_by_default: descriptive }, isNew }: DocumentsCardProps) {
  const query = useQuery(accountQueries.documents({ filter__account_id: id, sort: 'created_at', order: 'desc', paginate: String(SHOWN) }))
  const kinds = [
    { name: 'disclosed', count: files?.disclosed ?? 0, to: paths.documents(id, 'disclosed') },
    { name: 'submission', count: files?.sov ?? 0, to: paths.documents(id, 'submission') },
  ].filter(({ count }) => count > 0)
  return (
    <Card title="Documents" aside="Newest first">
      <Loaded query={query} skeleton={<CardSkeleton heightPx={HEIGHT_PX} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={classes['empty']}>No documents yet.</p>
          ) : (
            <Documents id={id} rows={data} nameOf={descriptive ? documentName : originalName} isNew={isNew} />
          )
        }
      </Loaded>
      {kinds.length > 0 && (
        <p className={classes['foot']}>
          {kinds.map(({ name, count, to }) => (
            <Link key={name} to={to}>
              {plural(count, `${name} document`)}
            </Link>
          ))}
        </p>
      )}
    </Card>
  )
}

interface DocumentsProps extends Pick<DocumentsCardProps, 'isNew'> {
  id: string
  rows: readonly FileRow[]
  /** As the list of documents names them first. */
  nameOf: (file: FileRow['file']) => string
}

function Documents({ id, rows, nameOf, isNew }: DocumentsProps) {
  const zone = useSession().auth_user.company.timezone
  return (
    <ul className={classes['documents']}>
      {rows.map(({ id: fileId, file, category, size }) => (
        <li key={fileId}>
          <IconFileText size={22} stroke={1.4} aria-hidden />
          <div>
            <StretchedLink to={paths.file(id, fileId)}>{nameOf(file)}</StretchedLink>
            <small>
              {isNew(file.created_at) && <NewTag />}
              {[category.text, formatDate(file.created_at, zone), size.text].filter(Boolean).join(', ')}
            </small>
          </div>
        </li>
      ))}
    </ul>
  )
}
