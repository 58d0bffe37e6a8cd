import { documentName, type AccountFile } from '#contract/account-files.ts'
import { useSession } from '#web/data/session.ts'
import { NO_CHOICES, uploadDocuments } from '#web/engines/upload/uploads.ts'
import { chooseFile } from '#web/ui/choose-file.ts'

/** Lets the user choose a file and uploads it as the new version of a document. */
export function useVersionUpload() {
  const { auth_user } = useSession()
  return (document: AccountFile) =>
    chooseFile((file) =>
      uploadDocuments(auth_user.id, document.account_id, [file], {
        ...NO_CHOICES,
        replaces: { id: document.id, name: documentName(document) },
      }),
    )
}
