import { MergePage } from '../features/changing/merges/web/MergePage.tsx'
import { FieldEditor } from './field-editor.web.tsx'

/** `/merge`, with the fields of every record kind. */
export const Merge = () => <MergePage FieldEditor={FieldEditor} />
