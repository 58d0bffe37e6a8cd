import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { productName, useSession } from '#web/data/session.ts'
import { copyText } from '#web/ui/copy-text.ts'
import { saveBlob } from '#web/ui/download.ts'
import classes from './profile.module.css'

interface RecoveryCodesProps {
  codes: readonly string[]
  onClose: () => void
}

/** The codes, which cannot be shown again. */
function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { email } = useSession().auth_user
  const text = `Recovery codes of ${email} for ${productName()}. Each works once.\n\n${codes.join('\n')}\n`
  const download = () => saveBlob(new Blob([text], { type: 'text/plain' }), `${productName()} recovery codes.txt`)
  return (
    <Stack>
      <Text size="sm">
        Store these codes in a safe place, such as a password manager. Each signs you in once if you don’t have your authenticator app. They
        are not shown again.
      </Text>
      <ul className={classes['codes']} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between">
        <Group gap={8}>
          <Button
            variant="default"
            leftSection={<IconCopy size={16} aria-hidden />}
            onClick={() => void copyText(codes.join('\n'), 'The recovery codes were copied.')}
          >
            Copy
          </Button>
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={download}>
            Download
          </Button>
        </Group>
        <Button onClick={onClose}>Done</Button>
      </Group>
    </Stack>
  )
}

/** A click next to the dialog must not close it: the codes would be lost. */
export const RecoveryCodesDialog = (props: RecoveryCodesProps) => (
  <Modal opened onClose={props.onClose} title="Your recovery codes" closeOnClickOutside={false} closeOnEscape={false}>
    <RecoveryCodes {...props} />
  </Modal>
)
