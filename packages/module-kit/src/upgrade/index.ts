export { API_CHANGES, type ApiChange, FORMER_PACKAGE } from './changes.ts'
export { type PointedDiagnostic, pointDiagnostics } from './pointers.ts'
export { printPointed, upgradeReport } from './report.ts'
export { type UpgradedFile, type UpgradeResult, upgradeSources } from './upgrade.ts'
