import { useEffect, type ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { onlyUploads } from '#contract/default-roles.ts'
import { sentenceCase } from '#contract/format.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { DropArea } from '#web/engines/upload/drop-area.tsx'
import { NO_CHOICES, uploadDocuments } from '#web/engines/upload/uploads.ts'
import { toast } from '#web/ui/toast.tsx'
import { Contacts } from './contacts.tsx'
import { HandOverButton } from './hand-over-button.tsx'
import classes from './managed.module.css'
import { ReceiptCard } from './receipt-card.tsx'

interface UploadDocumentsTabProps {
  account: Account
  /** The documents that the user sees. */
  list: ReactNode
}

/** For people who send documents: the upload space, what has arrived, and the documents. */
export function UploadDocumentsTab({ account, list }: UploadDocumentsTabProps) {
  const { auth_user } = useSession()
  const mayUpload = useCan()('upload_account_files') && account.accessible_features.upload
  useStrayDrops(mayUpload)
  if (!mayUpload) return list
  return (
    <div className={classes['page']}>
      <section className={classes['upload']} aria-labelledby="upload-text">
        <div className={classes['text']}>
          <UploadText simple={onlyUploads(auth_user.roles)} />
          {account.type === 'managed' && account.status?.state === 'uploading' && <HandOverButton account={account} />}
          <Contacts />
        </div>
        <div className={classes['space']}>
          <DropArea
            label="Drop files or folders here"
            hint="Up to 5 GiB each. Uploads continue while you work."
            button="Choose files"
            folderButton="Choose a folder"
            onFiles={(files) => uploadDocuments(auth_user.id, account.id, files, NO_CHOICES)}
          />
        </div>
      </section>
      <ReceiptCard accountId={account.id} />
      {list}
    </div>
  )
}

function UploadText({ simple }: { simple: boolean }) {
  const { provider } = useSession().config
  if (simple)
    return (
      <>
        <h2 id="upload-text">Upload Files</h2>
        <p>Drop your files into the upload space. You see only the documents that you upload.</p>
      </>
    )
  return (
    <>
      <h2 id="upload-text">Send everything you have</h2>
      <p>
        Statements of values, appraisals, engineering reports, photographs. {sentenceCase(provider)} sorts the documents and links them to
        the properties.
      </p>
    </>
  )
}

/** Says where files belong that are dropped next to the upload space. The browser would open them instead of the page. */
function useStrayDrops(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return
    const ofFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true && !event.defaultPrevented
    const allow = (event: DragEvent) => {
      if (ofFiles(event)) event.preventDefault()
    }
    const reject = (event: DragEvent) => {
      if (!ofFiles(event)) return
      event.preventDefault()
      toast.warning('Oops! Drag those files into the upload space on the right.')
    }
    window.addEventListener('dragover', allow)
    window.addEventListener('drop', reject)
    return () => {
      window.removeEventListener('dragover', allow)
      window.removeEventListener('drop', reject)
    }
  }, [isActive])
}
