-- Changes of the configuration that wait for a second person, and what became of the newest ones.
CREATE TABLE "Proposal" (
    "id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "state" TEXT NOT NULL,
    "proposer" TEXT NOT NULL,
    "proposerId" INTEGER NOT NULL,
    "proposedAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "reason" TEXT NOT NULL,
    "changes" TEXT NOT NULL,
    "revertAfterMs" INTEGER,
    "decidedBy" TEXT,
    "decidedAt" DATETIME,
    "decisionReason" TEXT
);
CREATE INDEX "Proposal_state_expiresAt_idx" ON "Proposal"("state", "expiresAt");
