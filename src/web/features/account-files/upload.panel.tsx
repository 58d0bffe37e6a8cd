import { NativeSelect, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES } from '#contract/document-categories.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { RoutePanel } from '#web/engines/panel/route-panel.tsx'
import { UploadRow } from '#web/engines/upload/upload-row.tsx'
import { NO_CHOICES, uploadDocuments, useUploadsOf, type DocumentChoices } from '#web/engines/upload/uploads.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { DocumentDrop } from './document-drop.tsx'
import { PropertyPicker, type ChosenProperties } from './property-picker.tsx'
import classes from './upload.panel.module.css'

/** Uploads into an account; opened from a property, the files are linked to it. */
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
        <Notice kind="warning">You may not upload documents to this account.</Notice>
      )}
    </RoutePanel>
  )
}

function Uploader({ accountId, propertyId }: { accountId: string; propertyId: string }) {
  const { auth_user } = useSession()
  const can = useCan()
  const [choices, setChoices] = useState<DocumentChoices>(NO_CHOICES)
  const [picked, setPicked] = useState<ChosenProperties | null>(null)
  const preset = useQuery({ ...queries.property(propertyId), enabled: propertyId !== '' })
  const properties = picked ?? (propertyId === '' ? {} : { [propertyId]: preset.data?.full_address ?? 'This property' })
  const take = (files: File[]) => uploadDocuments(auth_user.id, accountId, files, { ...choices, propertyIds: Object.keys(properties) })
  return (
    <Stack gap="lg">
      <DocumentDrop onFiles={take} />
      <section>
        <Title order={3}>For the files you add next</Title>
        <Text size="sm" c="dimmed" mb="sm">
          Left alone, the category is taken from each file name. Everything can be changed later.
        </Text>
        <ChoiceFields choices={choices} mayHide={can('update_account_files')} onChange={setChoices} />
        {can('view_account_properties') && choices.sov !== true && (
          <PropertyPicker accountId={accountId} label="Linked to properties" value={properties} onChange={setPicked} />
        )}
      </section>
      <Progress accountId={accountId} />
    </Stack>
  )
}

function ChoiceFields({
  choices,
  mayHide,
  onChange,
}: {
  choices: DocumentChoices
  mayHide: boolean
  onChange: (choices: DocumentChoices) => void
}) {
  return (
    <div className={classes['choices']}>
      <NativeSelect
        label="Category"
        value={choices.category ?? ''}
        onChange={(event) =>
          onChange({ ...choices, category: DOCUMENT_CATEGORY_CODES.find((code) => code === event.currentTarget.value) ?? null })
        }
        data={[
          { value: '', label: 'By file name' },
          ...DOCUMENT_CATEGORY_CODES.map((code) => ({ value: code, label: DOCUMENT_CATEGORIES[code].label })),
        ]}
      />
      <YesNo
        label="Submission Document"
        yes="Yes"
        no="No, disclosed document"
        value={choices.sov}
        onChange={(sov) => onChange({ ...choices, sov })}
      />
      {mayHide && (
        <YesNo
          label="Private"
          yes="Yes, hidden from guests and carriers"
          no="No"
          value={choices.private}
          onChange={(hidden) => onChange({ ...choices, private: hidden })}
        />
      )}
    </div>
  )
}

function YesNo({
  label,
  yes,
  no,
  value,
  onChange,
}: {
  label: string
  yes: string
  no: string
  value: boolean | null
  onChange: (value: boolean | null) => void
}) {
  return (
    <NativeSelect
      label={label}
      value={value === null ? '' : value ? '1' : '0'}
      onChange={(event) => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value === '1')}
      data={[
        { value: '', label: 'By category' },
        { value: '1', label: yes },
        { value: '0', label: no },
      ]}
    />
  )
}

function Progress({ accountId }: { accountId: string }) {
  const items = useUploadsOf(accountId, 'document')
  if (items.length === 0) return null
  return (
    <section>
      <Title order={3} mb="xs">
        Uploads
      </Title>
      <ul className={classes['list']}>
        {items.map((item) => (
          <UploadRow key={item.id} item={item} />
        ))}
      </ul>
    </section>
  )
}
