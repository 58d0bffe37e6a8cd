import { Button, FileButton, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import { useRef, useState } from 'react'
import { LOGO_TYPES, LOGO_TYPE_ERROR, companyCalls } from '#contract/companies.ts'
import { LOGO_UPLOAD_TIMEOUT_MS } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '../show-error.ts'
import { toast } from '#web/ui/toast.tsx'
import classes from './company-logo.module.css'

type LogoType = (typeof LOGO_TYPES)[number]
const isLogoType = (type: string): type is LogoType => LOGO_TYPES.some((known) => known === type)

/** The server reads every type except this one, so the browser turns it into PNG. */
async function asReadable(file: File): Promise<{ bytes: Blob; type: LogoType }> {
  if (!isLogoType(file.type)) throw new TypeError(`${file.type} is no type of a logo`)
  if (file.type !== 'image/bmp') return { bytes: file, type: file.type }
  const bitmap = await createImageBitmap(file)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  return { bytes: await canvas.convertToBlob({ type: 'image/png' }), type: 'image/png' }
}

export const LogoImage = ({ name, url }: { name: string; url: string }) => <img src={url} alt={`Logo of ${name}`} />

/** Sends the image to the store. Returns its address there. */
async function sendImage(companyId: string, file: File): Promise<string> {
  const { bytes, type } = await asReadable(file)
  const body = { filePath: file.name, contentType: type }
  const { postEndpoint, fields } = (await api(companyCalls.signLogo, { params: { id: companyId }, body })).data
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  // S3 ignores every field after the file.
  form.append('file', bytes)
  const answer = await fetch(postEndpoint, { method: 'POST', body: form, signal: AbortSignal.timeout(LOGO_UPLOAD_TIMEOUT_MS) })
  if (!answer.ok) throw new Error(`The store answered ${String(answer.status)}`)
  return new URL(fields['key'] ?? '', new URL(postEndpoint, window.location.href).origin).href
}

interface CompanyLogoProps {
  company: { id: string; name: string; logo_url: string | null }
}

/** The logo of a company, which is saved as soon as an image is chosen. An open form of the company continues from the new version. */
export function CompanyLogo({ company }: CompanyLogoProps) {
  const client = useQueryClient()
  /** After an upload that failed for an unknown reason, until the next choice. The stored logo stays as it is. */
  const [blank, setBlank] = useState(false)
  const logoUrl = blank ? null : company.logo_url
  const saving = useMutation({
    mutationFn: async (file: File | null) => {
      setBlank(false)
      const logo_url = file === null ? null : await sendImage(company.id, file)
      return api(companyCalls.update, { params: { id: company.id }, body: { logo_url } })
    },
    onSuccess: ({ message }) => {
      invalidateAfterWrite('companies', company.id)
      void client.invalidateQueries({ queryKey: ['form', 'companies', company.id] })
      toast.success(message)
    },
    onError: (error) => {
      const messages = isApiError(error) ? firstMessages(error) : {}
      const rejected = messages['logo_url'] ?? messages['contentType']
      if (rejected !== undefined) toast.warning(rejected)
      else if (isApiError(error)) showError(error)
      else setBlank(true)
    },
  })
  const clear = useRef<() => void>(null)
  const choose = (file: File | null) => {
    // The same file can then be chosen again.
    clear.current?.()
    if (file === null) return
    if (isLogoType(file.type)) saving.mutate(file)
    else toast.warning(LOGO_TYPE_ERROR)
  }
  return (
    <div className={classes['logo']} role="group" aria-label="Company Logo">
      <span className={classes['picture']}>
        {logoUrl === null ? <IconPhoto size={28} stroke={1.4} aria-hidden /> : <LogoImage name={company.name} url={logoUrl} />}
      </span>
      <div>
        <strong>Company Logo</strong>
        <p>Users of the company see it in the sidebar, and the people they invite on their pages.</p>
        <Group gap={8}>
          <FileButton resetRef={clear} onChange={choose} accept={LOGO_TYPES.join(',')}>
            {(props) => (
              <Button {...props} variant="default" size="xs" loading={saving.isPending}>
                {company.logo_url === null ? 'Choose an image' : 'Replace'}
              </Button>
            )}
          </FileButton>
          {company.logo_url !== null && (
            <Button variant="subtle" size="xs" disabled={saving.isPending} onClick={() => saving.mutate(null)}>
              Remove
            </Button>
          )}
        </Group>
      </div>
    </div>
  )
}
