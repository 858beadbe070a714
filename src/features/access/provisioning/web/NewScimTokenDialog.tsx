import { SecretDialog } from '../../../../platform/web/kit/SecretDialog.tsx'

interface NewScimTokenDialogProps {
  token: string
  onClose: () => void
}

/** Shows a new SCIM token. */
export const NewScimTokenDialog = ({ token, onClose }: NewScimTokenDialogProps) => (
  <SecretDialog title="The Token for Your Directory" noun="Token" secret={token} onClose={onClose}>
    Copy it now into your directory. Anyone who has it can create and disable accounts, and put them into groups that give a level.
  </SecretDialog>
)
