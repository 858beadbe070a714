import { createBrand, listBrands, readBrand, updateBrand, viewBrand } from './features/brands/contract.ts'
import {
  addDistrict,
  addMember,
  readCharterAffair,
  removeDistrict,
  removeMember,
  saveCharterAffair,
  updateDistrict,
  updateMember,
} from './features/charter-affairs/contract.ts'
import { createCharter, listCharters, readCharter, readStudentTotal, updateCharter, viewCharter } from './features/charters/contract.ts'
import { listCoverage, listCoverageOfRegion } from './features/coverage/contract.ts'
import { addService, listProgramTypes, removeService, replaceService, updateEnrollment } from './features/enrollment/contract.ts'
import { logError } from './features/error-log/contract.ts'
import { downloads, listDownloads, previews } from './features/exports/contract.ts'
import { updateFacility } from './features/facility/contract.ts'
import { addFavourite, listFavourites, listRecent, recordOpened, removeFavourite } from './features/favourites/contract.ts'
import { putBack, putBackAffair, readAffairHistory, readHistory } from './features/history/contract.ts'
import { readCounts } from './features/home/contract.ts'
import { listPlaces } from './features/map/contract.ts'
import { recordPageView } from './features/page-views/contract.ts'
import {
  listLeadershipRoles,
  listPeople,
  listPeopleOfGroup,
  listRoles,
  listStudentSupportRoles,
  readPerson,
  readVcard,
} from './features/people/contract.ts'
import { findCandidates, grantPermission, listPermissions, removePermission } from './features/permissions/contract.ts'
import { readPicture, readProfilePhoto, uploadPicture } from './features/pictures/contract.ts'
import { listRegions, readRegion } from './features/regions/contract.ts'
import {
  answerRequest,
  listOwnRequests,
  listRequests,
  mailRequestAgain,
  readRequest,
  sendChangeRequest,
  sendSupportRequest,
} from './features/requests/contract.ts'
import { deleteView, listViews, renameView, saveView, shareView } from './features/saved-views/contract.ts'
import { listMisses, search } from './features/search/contract.ts'
import { finishSignIn, readUser, refreshSession, signOut, startSignIn } from './features/session/contract.ts'
import { readSettings, readSiteDefaults, saveSettings } from './features/settings/contract.ts'
import {
  createSisSite,
  deleteSisSite,
  listSisSites,
  readSisSite,
  updateSisSite,
  updateSisSiteInBody,
} from './features/sis-sites/contract.ts'
import { addSiteStaff, removeSiteStaff } from './features/site-staff/contract.ts'
import { createSite, listSites, listSiteSummaries, readSite, updateSite } from './features/sites/contract.ts'
import type { Call } from './platform/contract/call.ts'

/** Every call of every feature. The server refuses to start when one of them has no handler, or two. */
export const calls: readonly Call[] = [
  startSignIn,
  finishSignIn,
  readUser,
  refreshSession,
  signOut,
  listPermissions,
  findCandidates,
  grantPermission,
  removePermission,
  listRegions,
  readRegion,
  listBrands,
  readBrand,
  viewBrand,
  createBrand,
  updateBrand,
  listCharters,
  readStudentTotal,
  readCharter,
  viewCharter,
  createCharter,
  updateCharter,
  readCharterAffair,
  saveCharterAffair,
  addMember,
  updateMember,
  removeMember,
  addDistrict,
  updateDistrict,
  removeDistrict,
  listSites,
  listSiteSummaries,
  readSite,
  createSite,
  updateSite,
  updateFacility,
  listProgramTypes,
  updateEnrollment,
  addService,
  replaceService,
  removeService,
  listSisSites,
  readSisSite,
  createSisSite,
  updateSisSite,
  updateSisSiteInBody,
  deleteSisSite,
  addSiteStaff,
  removeSiteStaff,
  listPeople,
  listPeopleOfGroup,
  readPerson,
  readVcard,
  listRoles,
  listLeadershipRoles,
  listStudentSupportRoles,
  uploadPicture,
  readPicture,
  readProfilePhoto,
  sendChangeRequest,
  sendSupportRequest,
  listRequests,
  listOwnRequests,
  readRequest,
  answerRequest,
  mailRequestAgain,
  readCounts,
  readSettings,
  saveSettings,
  readSiteDefaults,
  readHistory,
  putBack,
  readAffairHistory,
  putBackAffair,
  search,
  listMisses,
  listFavourites,
  addFavourite,
  removeFavourite,
  listRecent,
  recordOpened,
  listViews,
  saveView,
  renameView,
  shareView,
  deleteView,
  listPlaces,
  listCoverage,
  listCoverageOfRegion,
  ...Object.values(downloads),
  ...Object.values(previews),
  listDownloads,
  recordPageView,
  logError,
]
