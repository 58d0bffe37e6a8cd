import { NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { RoutePanel } from '#web/engines/panel/route-panel.tsx'
import type { DocumentSettings } from '#web/engines/upload/upload-item.ts'
import { UploadRow } from '#web/engines/upload/upload-row.tsx'
import { NO_CHOICES, uploadDocuments, useUploadsOf } from '#web/engines/upload/uploads.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { DocumentDrop } from './document-drop.tsx'
import classes from './documents.module.css'
import { CATEGORY_OPTIONS, categoryOf } from './file-fields.ts'
import { PropertyPicker, type PickedProperties } from './property-picker.tsx'

/** Uploads documents into an account. If opened from a property, they are linked to it. */
export function UploadPanel({ id: accountId, prop_id: propertyId = '' }: { id: string; prop_id?: string }) {
  const can = useCan()
  return (
    <RoutePanel
      title="Upload documents"
      size="medium"
      closeTo={propertyId === '' ? paths.account(accountId) : paths.property(accountId, propertyId)}
    >
      {can('upload_account_files') ? (
        <Uploader key={propertyId} accountId={accountId} propertyId={propertyId} />
      ) : (
        <Notice kind="warning">You don't have permission to upload documents to this account.</Notice>
      )}
    </RoutePanel>
  )
}

function Uploader({ accountId, propertyId }: { accountId: string; propertyId: string }) {
  const { auth_user } = useSession()
  const can = useCan()
  const [choices, setChoices] = useState<DocumentSettings>(NO_CHOICES)
  const [picked, setPicked] = useState<PickedProperties | null>(null)
  const preset = useQuery({ ...queries.property(propertyId), enabled: propertyId !== '' })
  const properties = picked ?? (propertyId === '' ? {} : { [propertyId]: preset.data?.full_address ?? 'This property' })
  const upload = (files: File[]) => uploadDocuments(auth_user.id, accountId, files, { ...choices, propertyIds: Object.keys(properties) })
  const items = useUploadsOf(accountId, 'document')
  return (
    <Stack gap="lg">
      <DocumentDrop onFiles={upload} />
      <section>
        <Title order={3}>For the files you add next</Title>
        <Text size="sm" c="dimmed" mb="sm">
          By default, category and property are proposed from the name of each file, and schedules of values are found by their columns. You
          can change both after the upload.
        </Text>
        <ChoiceFields accountId={accountId} choices={choices} onChange={(change) => setChoices({ ...choices, ...change })} />
        {can('view_account_properties') && choices.sov !== true && (
          <PropertyPicker accountId={accountId} label="Linked to properties" value={properties} onChange={setPicked} />
        )}
      </section>
      {items.length > 0 && (
        <section>
          <Title order={3} mb="xs">
            Uploads
          </Title>
          <ul className={classes['uploads']}>
            {items.map((item) => (
              <UploadRow key={item.id} item={item} />
            ))}
          </ul>
        </section>
      )}
    </Stack>
  )
}

interface ChoiceFieldsProps {
  accountId: string
  choices: DocumentSettings
  onChange: (change: Partial<DocumentSettings>) => void
}

function ChoiceFields({ accountId, choices, onChange }: ChoiceFieldsProps) {
  const mayHide = useQuery(queries.account(accountId)).data?.accessible_features.make_private
  const { provider } = useSession().config
  const yesNo = (name: 'sov' | 'private', label: string, yes: string, no: string) => (
    <NativeSelect
      label={label}
      value={String(choices[name] ?? '')}
      onChange={({ currentTarget: { value } }) => onChange({ [name]: value === '' ? null : value === 'true' })}
      data={[
        { value: '', label: 'By category' },
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ]}
    />
  )
  return (
    <div className={classes['choices']}>
      <NativeSelect
        label="Category"
        value={choices.category ?? ''}
        onChange={(event) => onChange({ category: categoryOf(event.currentTarget.value) ?? null })}
        data={[{ value: '', label: 'Proposed for each file' }, ...CATEGORY_OPTIONS]}
      />
      {yesNo('sov', 'Submission Document', 'Yes', 'No, disclosed document')}
      {mayHide && yesNo('private', 'Private', `Yes, only for the account's company and ${provider}`, 'No')}
    </div>
  )
}
