// Written by `Scripts/public-suffix-table`; not to be edited.
// prose: table
//
// Source: the Public Suffix List (https://publicsuffix.org/list/) of 2026-08-19, its ICANN and its
// private section: 10248 rules.
// Commit e8c9a2b2b2856b6449999dd0ec0d118f364ed0cd of https://github.com/publicsuffix/list;
// SHA-256 of the sorted rules: 63530d82d234c7f6bc5f1695aca51c81366f4219a910b5f4e3615a037cd10200.
//
// This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy
// of the MPL was not distributed with this file, You can obtain one at
// https://mozilla.org/MPL/2.0/. The licence concerns this file only.

/// The rules of the Public Suffix List, packed: see ``PublicSuffixList``.
enum PublicSuffixTable {
    static let date = "2026-08-19"

    static let rules =
        """
        aaaCrpBbbDottDvieCcCleCogadoCudhabiBcC.comDdrrDeduDfeedbackEormsDgov ac.milDnetDorgDschCade\
        myH.officialCcentureDountantKsCoCtorBdCsCultBeC.ac ae.coDgovDmilDnetDorgDschCgCroE.accident\
        -investigationOpreventionGerobaticJclubJdromeGgentsGir-surveillanceJtraffic-control aero.ai\
        rcraftIlineIportItrafficGmbulanceGssociationGuthorFballooningGrokerFcaaHrgoHteringGertifica\
        tionGhampionshipIrterGivilaviation aero.clubGonferenceIsultantMingItrolHuncilGrewFdesignGgc\
        aFeducatorGmergencyGngineLerHtertainmentGquipmentGxchange aero.expressFfederationGlightGrei\
        ghtGuelFglidingGovernmentGroundhandlingJpFhangglidingGomebuiltFinsuranceFjournalMistFleasin\
        gGogistics aero.magazineHintenanceHrketplaceGediaGicrolightGodellingFnavigationFparachuting\
        JglidingHssenger-associationGilotGressHoductionFrecreationHpbodyHs aero.researchGotorcraftF\
        safetyGcientistGervicesGhowGkydivingGoftwareGtudentFtaxiGraderJingIinerFunionFworkinggroupJ\
        s aetnaBfC.comDeduDgovDnetDorgClCricaBgC.coFmDnetEomDobjErg agakhanCencyBiC.comDframerDkilo\
        appsDnetDoffErgDuwuCgCrbusDforceDtelBkdnBl al.comDeduDgovDmilDnetDorgCibabaDpayClfinanzDsta\
        teDyCsaceDtomBmC.coFm am.communeDnetDorgDradioCazonCericanexpressIfamilyDxCfamCicaCsterdamB\
        nalyticsCdroidCquanCzBo ao.coDedFuDgovEvDitDogErgDpbClBpartmentsCpD.aivenEbase44Feget*Fotda\
        sh app.braveJ.s*EclaudeGerkJstageGoudflareFodepenGnvexGrespeedFsbH.previewEdeveloper*Ee2bFa\
        sypanelFdgecomputeFncr app.encr.frontendFvervault.relayFxpoI.onJstagingQ.onEflutterflowFram\
        erEgadgetFithubEhackclubGsuraFosted*EleapcellFoginlineGvable app.luyaniEmagicpatternsFedusa\
        jsGsserliFirenFochaEnetlifyFgrokJ-freeFoopGrthflank*FyatEon-fleekGdigitaloceanGherculesEppl\
        x app.puterErailway.upFeplitK.idFun*H.mtls*EshiptodayFnowflake*N.privatelink*FpawnbaseGrite\
        sFtreamlitEtelebitFypedreamEupsun*Evercel app.walGsmerFebFindsurfFnextEzeaburGrops*DleF.int\
        J.cloud*P.r*R.ap-north-1*Vsouth-1*Zh-2*Seu-central-1*Vnorth-1* apple.int.cloud.r.us-central\
        -1*Zral-2*Veast-1*Z-2*Vwest-1*Z-2*Z-3*BqCuarelleBrC.betDcomFopDeduDgobFv ar.intDmilEusicaFt\
        ualDnetDorgDsegFnasaDturCabDmcoCchiCmyCpaE.e164Fhome arpa.in-addrGp6GrisFuriHnCtDeBsC.govCd\
        aCiaE.cloudnsFdaemonGixCsociatesBt at.123webseiteFhpD2ixD4ElimaDacF.sthDcoDdnshomeDfunkfeue\
        r.wienFturecms*M.ex*Nin*JhostingJmailingDgv at.lima-cityDmyFspreadshopDorFtsinfo.ex*Mkunden\
        *DprivChletaCtorneyBuC.actEsnDcomG.cloudlets.melHmyspreadshopFnf au.eduG.actHcatholicHnswIt\
        HqldHsaHtasHvicHwaDgovG.qldHsaHtasHvicHwa au.idDnetEswEtDorgEzDqldDsaDtasDvicDwaCctionCdiEb\
        leEoCspost authorDoEsBwC.comCsD.on.af-south-1.airflow*Slambda-urlStransfer-webappIp-east-1.\
        airflow*Rlambda-urlRtransfer-webappKnortheast-1.airflow*Wlambda-urlWtransfer-webappU2.airfl\
        ow* aws.on.ap-northeast-2.lambda-urlWtransfer-webappU3.airflow*Wlambda-urlWtransfer-webappK\
        south-1.airflow*Slambda-urlStransfer-webappQ2.airflow*Stransfer-webappPeast-1.airflow*Wlamb\
        da-urlWtransfer-webappU2.airflow*Wlambda-urlWtransfer-webapp aws.on.ap-southeast-3.airflow*\
        Wlambda-urlWtransfer-webappU4.airflow*Wtransfer-webappU5.airflow*Wtransfer-webappU7.transfe\
        r-webappHca-central-1.airflow*Ulambda-urlUtransfer-webappKwest-1.airflow*Rtransfer-webappHe\
        u-central-1.airflow*Ulambda-urlUtransfer-webapp aws.on.eu-central-2.airflow*Utransfer-webap\
        pKnorth-1.airflow*Slambda-urlStransfer-webappKsouth-1.airflow*Slambda-urlStransfer-webappQ2\
        .airflow*Stransfer-webappKwest-1.airflow*Rlambda-urlRtransfer-webappP2.airflow*Rlambda-urlR\
        transfer-webapp aws.on.eu-west-3.airflow*Rlambda-urlRtransfer-webappHil-central-1.airflow*U\
        transfer-webappHme-central-1.airflow*Utransfer-webappKsouth-1.airflow*Slambda-urlStransfer-\
        webappIx-central-1.transfer-webappHsa-east-1.airflow*Rlambda-urlRtransfer-webappHus-east-1.\
        airflow*Rlambda-url aws.on.us-east-1.transfer-webappP2.airflow*Rlambda-urlRtransfer-webappK\
        gov-east-1.transfer-webappZsfer-webapp-fipsOwest-1.transfer-webappZsfer-webapp-fipsKwest-1.\
        airflow*Rlambda-urlRtransfer-webappP2.airflow*Rlambda-urlRtransfer-webappErepost.private*Es\
        agemaker.af-south-1.notebook aws.sagemaker.af-south-1.studioPp-east-1.notebookYstudioRnorth\
        east-1.labelingZt-1.notebookZt-1.studioZt-2.labelingZt-2.notebookZt-2.studioZt-3.notebookZt\
        -3.studioRsouth-1.labelingZnotebookZstudioX2.notebookWeast-1.labeling aws.sagemaker.ap-sout\
        heast-1.notebookZt-1.studioZt-2.labelingZt-2.notebookZt-2.studioZt-3.notebookZt-3.studioZt-\
        4.notebookOca-central-1.labelingZ1.notebookZ1.notebook-fipsZ1.studioRwest-1.notebookZoteboo\
        k-fipsOeu-central-1.labelingZ1.notebook aws.sagemaker.eu-central-1.studioZ2.notebookZ2.stud\
        ioRnorth-1.notebookZstudioRsouth-1.notebookZstudioX2.notebookZstudioRwest-1.labelingYnotebo\
        okYstudioW2.labelingYnotebookYstudioW3.notebook aws.sagemaker.eu-west-3.studioPxperiments*O\
        il-central-1.notebookZ1.studioOme-central-1.notebookZ1.studioRsouth-1.notebookZstudioOsa-ea\
        st-1.notebookYstudioOus-east-1.labelingYnotebookZotebook-fipsYstudioW2.labelingYnotebook aw\
        s.sagemaker.us-east-2.notebook-fipsYstudioRgov-east-1.notebookZ-1.notebook-fipsZ-1.studioZ-\
        1.studio-fipsVwest-1.notebookZ-1.notebook-fipsZ-1.studioZ-1.studio-fipsRwest-1.notebookZote\
        book-fipsYstudioW2.labelingYnotebookZotebook-fips aws.sagemaker.us-west-2.studioBxCaBzC.biz\
        DcoFmDeduDgovDinfoFtDmilDnameEetDorgDpp az.proCureAbaC.brendly.shopDcomDeduDgovDmilDnetDorg\
        DrsCbyCiduCnamexDdDk barD.resolveDcelonaElaycardHsDefootDgainsCseballDketballK.ausLnzCuhaus\
        CyernBbC.bizDco bb.comDeduDgovDinfoDnetDorgDstoreDtvCcCtCvaBcgCnBdC.acEi bd.coFmDeduDgovDid\
        EnfoEtDmilDnetDorgDschDtvBeC.123websiteDacDcloudns be.interhostsolutions.cloudDkuleuven.ezp\
        roxyDmyFspreadshopDtransurl*DwebhostingCatsDutyCerCrlinG.ddnsCstEbuyCtBfC.gov bgC.0D1D2D3D4\
        D5D6D7D8D9DaDbEarsyDcDd bg.eDfDgDhDiDjDkDlDmDnDoDpDqDrDsDt bg.uDvDwDxDyDzBhC.comDeduDgovDne\
        tDorgCartiBiC.coFm bi.eduDorFgCbleCdCkeCngEoCoCzD.activetrailEcloud-ipJnsEdscloudFyndnsEfor\
        -better biz.for-moreIsomeItheEjoziEmmafanFyftpEno-ipEorxEselfipEwebhopBjC.africaEgroErchite\
        ctesEssurEvocats bj.coFmDecoGnoEduDinfoDloisirsDmoneyDnetDorgEteDrestaurantHoDtourismDunivB\
        lack blackfridayCockbusterDgDombergCueBmC.comDeduDgovDnetDorgCsCwBnC.coFm bn.eduDgovDnetDor\
        gCpparibasBoC.academiaEgroErteDblogEoliviaDcienciaEomFoperativaDdemocraciaFporte bo.ecologi\
        aGnomiaEduEmpresaDgobDindigenaGustriaFfoFtDmedicinaEilEovimientoEusicaDnaturalEetEombre bo.\
        noticiasDorgDpatriaElurinacionalEoliticaErofesionalEuebloDrevistaDsaludDtecnologiaEksatEran\
        sporteEvDwebEikiCats boehringerCfaCmCndCoDkEingCschDtikEonCtCutiqueCxBrC.9guacuDabc br.admF\
        vEgrEjuEmEnaniEparecidaFiFpErqFtEtoDbEarueriEelemFt br.bhzEibFoElogEmdEoavistaEsbDcampinagr\
        andeKsFxiasEimEngFtEomG.simplesiteFntagem br.coopFzEriEuiabaFritibaDdefFsFtFvDecnFoEduEmpEn\
        fFgEsp br.etcFiDfarEeiraElogGripaEmEndEortalFtFzEstDg12EeoEgfEoiania br.govG.acIlImIpHbaHce\
        HdfHesHgoHmaIgIsItHpaIb br.gov.peIiIrHrjInIoIrIsHscIeIpHtoEruDiaEmbEnd br.infDjabFmpaEdfEoi\
        nvilleFrEusDlegG.acIlImIpHbaHceHdfHes br.leg.goHmaIgIsItHpaIbIeIiIrHrjInIoIrIsHsc br.leg.se\
        IpHtoFilaoFlEogFndrinaDmacapaGeioFnausFringaFtEedEilEorenaEp br.musDnatalEetEiteroiEom*FtEt\
        rDodoEngErgEsascoDpalmasEoaEpgEroEsc br.psiEvhDqslDradioEecGifeFpEibeiraoFoGbrancoGpretoDsa\
        lvadorFmpaFntamariaHoandreFobernardo br.saogoncaEegEjcElgFzEocialFrocabaErvDtaxiEcFheEecFoE\
        heEmpErd br.turEvDudiDvetEixElogDwikiDxyzDzlgCadescoCidgestoneCoadwayDkerDtherCusselsBs bs.\
        comDeduDgovDnetDorgDweBtC.comDeduDgovDnetDorgBuildF.shiptodayGv0Gwindsurf buildersI.cloudsi\
        teCsinessI.coCyCzzBvBwC.acDcoDgovDnetDorgByC.comDgov by.mediatechEilDofBzC.coFmDeduDgovEsjD\
        mydnsDnetDorgDzaChAcaC.ab ca.awdev*DbarsyEcEoxDcoDgcDmbEyspreadshopDnbEfElEo-ipEsEtEuDon ca\
        .onidDpeDqcDskDykCbCfeClDlDvinkleinCmDeraDpE.emf.atCnonCpetown capitalHoneCrDavanDdsDeEerGs\
        DsCsaE.nabu.uiDeE.savDhDinoCt cateringDholicBbaCnCreBcC.ccwuEleverappsFoud-ipInsEsxDecEuDfa\
        ntasyleagueEtpaccessDgame-server cc.guDmyphotosDscrappingEpawn.instancesEryzeDtwmailDukEsBd\
        C.ccDgovBenterCoCrnBfCa cfdBgBhC.123websiteFhpD2ixD4limaDcloudnsIscale.custOlpg.objectsOrma\
        .objectsDdnskingDfirenet*K.svc*Elow.ae.alp1Jppengine ch.gotdnsDlima-cityFnkyard-cloudDmyspr\
        eadshopDobjectstorage.lpgRrmaDsquare7CanelEnelDrityDseDtCeapCintaiCristmasDome churchBiC.ac\
        EssoDcoFmDedFuDgoFuvDintDnetDorFgDusDxn--aroport-bya ciprianiCrcleCscoCtadelDiEcDyBk*C.www!\
        BlC.cloudnsEoDgobFvDmilCaims cleaningCickDnicFqueCothingDudF.antagonistHxarnet.es-1Gbegetcd\
        n*GconvexM.eu-west-1Nus-east-1GdiademHnshomeGelementorHmergent cloud.encoway.euGhstgrGjelas\
        tic.vipJeInv-aruba.aruba.eur.it1Rit1HoteKluluGk2.elasticJru-msk.lbQs3QwebsiteMspb.lbQs3Qweb\
        siteJs3 cloud.k2.websiteHeliwebN.csHuleuvenGlaravelHinkyardGmagentosite*ItlabGobservablehqH\
        n-rancher*Iline-serverIstackit.runsHxaJ.tnKukGperspecta cloud.primetelO.ukGravendbHeclaim.c\
        aOukPsGscw.baremetal.fr-par-1Zr-2Unl-ams-1Kfr-par.cockpitRddlStwhRfncU.functionsRifrRk8s cl\
        oud.scw.fr-par.k8s.nodesSafkRmgdbRrdbRs3T-websiteScblRwhmKinstances.privVubKk8sKnl-ams.cock\
        pitRddlStwhRifrRk8s cloud.scw.nl-ams.k8s.nodesSafkRmgdbRrdbRs3T-websiteScblRwhmKpl-waw.cock\
        pitRddlStwhRifrRk8sU.nodesSafkRmgdb cloud.scw.pl-waw.rdbRs3T-websiteScblKscalebookLmartlabe\
        lingHerveboltHtatics*GtrafficplexIendhosting.chTdeGunison-servicesHrownGvaporHoorloperGzap \
        clubE.barsyFcloudnsFjeleEmedBmC.coFmDgovDnetBnC.acEhDbjDcanva-appsIsite.my cn.comG.amazonaw\
        s.airflow.cn-north-1*Zcn-northwest-1*Rcn-north-1.dualstack.s3Z-1.dualstack.s3-accesspointZ-\
        1.dualstack.s3-websiteZ-1.emrappui-prodZ-1.emrnotebooks-prodZ-1.emrstudio-prodZ-1.execute-a\
        piZ-1.rds*Z-1.s3Z-1.s3-accesspointZ-1.s3-deprecatedZ-1.s3-object-lambdaZ-1.s3-website cn.co\
        m.amazonaws.cn-northwest-1.dualstack.s3Zwest-1.dualstack.s3-accesspointZwest-1.emrappui-pro\
        dZwest-1.emrnotebooks-prodZwest-1.emrstudio-prodZwest-1.execute-apiZwest-1.rds*Zwest-1.s3Zw\
        est-1.s3-accesspointZwest-1.s3-object-lambdaZwest-1.s3-websiteSompute*Reb.cn-north-1Zrthwes\
        t-1Slb*Nwebservices.on.cn-north-1.airflow* cn.com.amazonwebservices.on.cn-north-1.transfer-\
        webappZon.cn-northwest-1.airflow*Zon.cn-northwest-1.transfer-webappHsagemaker.cn-north-1.no\
        tebookZ-1.studioZwest-1.notebookZwest-1.studioEqDeduDfjDgdEovEsExEzDha cn.hbEeEiEkElEnDjlEs\
        ExDkhsjDlnDmilEoEyqnapcloudDnetEm cn.nxDorgDqhEuickconnect.directDscEdEhF.asEnExDtjEwDxjEn-\
        -55qx5dHio0a7iHod0alg cn.xzDynDzjBoC.carrdEomErdDeduDfirewalledreplitT.idDgovDhidnsDleadpag\
        esEpagesDmilEypi co.netEomDorgEtap*Drdpa.clusters*Isrvrless*EeplH.idDsupabaseL.realtimeMsto\
        rageDumsoDxmit*CachCdesF.owo* coffeeCllegeDogneCmD.0emm*E180rFcooldnsFkappE3utilitiesE4uEa2\
        hostedFbrdnsFdobeaemcloudR.dev*FfricaFivencloud* com.aliases121HbabacloudcsGpha-myqnapcloud\
        Fmazonaws.af-south-1.aws-cloud9.webview-assetsZcloud9.vfsZcloud9.webview-assetsZdualstack.s\
        3Zdualstack.s3-accesspointZdualstack.s3-websiteZemrappui-prodZemrnotebooks-prodZemrstudio-p\
        rodZexecute-apiZs3Zs3-accesspointZs3-object-lambda com.amazonaws.af-south-1.s3-websitePirfl\
        ow.af-south-1*Xp-east-1*Znortheast-1*Znortheast-2*Znortheast-3*Zsouth-1*Zsouth-2*Zsoutheast\
        -1*Zsoutheast-2*Zsoutheast-3*Zsoutheast-4*Zsoutheast-5*Zsoutheast-7*Wca-central-1*Zwest-1* \
        com.amazonaws.airflow.eu-central-1*Zcentral-2*Znorth-1*Zsouth-1*Zsouth-2*Zwest-1*Zwest-2*Zw\
        est-3*Wil-central-1*Wme-central-1*Zsouth-1*Wsa-east-1*Wus-east-1*Zeast-2*Zwest-1*Zwest-2* c\
        om.amazonaws.ap-east-1.aws-cloud9.webview-assetsYcloud9.vfsZloud9.webview-assetsYdualstack.\
        s3Zualstack.s3-accesspointYemrappui-prodZmrnotebooks-prodZmrstudio-prodZxecute-apiYs3Z3-acc\
        esspointZ3-object-lambdaZ3-websiteRnortheast-1.analytics-gatewayZt-1.aws-cloud9.webview-ass\
        etsZt-1.cloud9.vfs com.amazonaws.ap-northeast-1.cloud9.webview-assetsZt-1.dualstack.s3Zt-1.\
        dualstack.s3-accesspointZt-1.dualstack.s3-websiteZt-1.emrappui-prodZt-1.emrnotebooks-prodZt\
        -1.emrstudio-prodZt-1.execute-apiZt-1.s3Zt-1.s3-accesspointZt-1.s3-object-lambdaZt-1.s3-web\
        siteZt-2.analytics-gatewayZt-2.aws-cloud9.webview-assetsZt-2.cloud9.vfsZt-2.cloud9.webview-\
        assets com.amazonaws.ap-northeast-2.dualstack.s3Zt-2.dualstack.s3-accesspointZt-2.dualstack\
        .s3-websiteZt-2.emrappui-prodZt-2.emrnotebooks-prodZt-2.emrstudio-prodZt-2.execute-apiZt-2.\
        s3Zt-2.s3-accesspointZt-2.s3-object-lambdaZt-2.s3-websiteZt-3.aws-cloud9.webview-assetsZt-3\
        .cloud9.vfsZt-3.cloud9.webview-assetsZt-3.dualstack.s3Zt-3.dualstack.s3-accesspoint com.ama\
        zonaws.ap-northeast-3.dualstack.s3-websiteZt-3.emrappui-prodZt-3.emrnotebooks-prodZt-3.emrs\
        tudio-prodZt-3.execute-apiZt-3.s3Zt-3.s3-accesspointZt-3.s3-object-lambdaZt-3.s3-websiteRso\
        uth-1.analytics-gatewayZaws-cloud9.webview-assetsZcloud9.vfsZcloud9.webview-assetsZdualstac\
        k.s3Zdualstack.s3-accesspointZdualstack.s3-website com.amazonaws.ap-south-1.emrappui-prodZe\
        mrnotebooks-prodZemrstudio-prodZexecute-apiZs3Zs3-accesspointZs3-object-lambdaZs3-websiteX2\
        .dualstack.s3Zdualstack.s3-accesspointZdualstack.s3-websiteZemrappui-prodZemrnotebooks-prod\
        Zemrstudio-prodZexecute-apiZs3 com.amazonaws.ap-south-2.s3-accesspointZs3-object-lambdaZs3-\
        websiteWeast-1.analytics-gatewayZt-1.aws-cloud9.webview-assetsZt-1.cloud9.vfsZt-1.cloud9.we\
        bview-assetsZt-1.dualstack.s3Zt-1.dualstack.s3-accesspointZt-1.dualstack.s3-websiteZt-1.emr\
        appui-prodZt-1.emrnotebooks-prodZt-1.emrstudio-prodZt-1.execute-apiZt-1.s3Zt-1.s3-accesspoi\
        nt com.amazonaws.ap-southeast-1.s3-object-lambdaZt-1.s3-websiteZt-2.analytics-gatewayZt-2.a\
        ws-cloud9.webview-assetsZt-2.cloud9.vfsZt-2.cloud9.webview-assetsZt-2.dualstack.s3Zt-2.dual\
        stack.s3-accesspointZt-2.dualstack.s3-websiteZt-2.emrappui-prodZt-2.emrnotebooks-prodZt-2.e\
        mrstudio-prodZt-2.execute-apiZt-2.s3Zt-2.s3-accesspointZt-2.s3-object-lambda com.amazonaws.\
        ap-southeast-2.s3-websiteZt-3.dualstack.s3Zt-3.dualstack.s3-accesspointZt-3.dualstack.s3-we\
        bsiteZt-3.emrappui-prodZt-3.emrnotebooks-prodZt-3.emrstudio-prodZt-3.execute-apiZt-3.s3Zt-3\
        .s3-accesspointZt-3.s3-object-lambdaZt-3.s3-websiteZt-4.dualstack.s3Zt-4.dualstack.s3-acces\
        spointZt-4.dualstack.s3-websiteZt-4.emrappui-prod com.amazonaws.ap-southeast-4.emrnotebooks\
        -prodZt-4.emrstudio-prodZt-4.execute-apiZt-4.s3Zt-4.s3-accesspointZt-4.s3-object-lambdaZt-4\
        .s3-websiteZt-5.dualstack.s3Zt-5.dualstack.s3-accesspointZt-5.dualstack.s3-websiteZt-5.exec\
        ute-apiZt-5.s3Zt-5.s3-accesspointZt-5.s3-deprecatedZt-5.s3-object-lambdaZt-5.s3-website com\
        .amazonaws.ca-central-1.aws-cloud9.webview-assetsZ1.cloud9.vfsZ1.cloud9.webview-assetsZ1.du\
        alstack.s3Z1.dualstack.s3-accesspointZ1.dualstack.s3-accesspoint-fipsZ1.dualstack.s3-fipsZ1\
        .dualstack.s3-websiteZ1.emrappui-prodZ1.emrnotebooks-prodZ1.emrstudio-prodZ1.execute-apiZ1.\
        s3Z1.s3-accesspointZ1.s3-accesspoint-fipsZ1.s3-fips com.amazonaws.ca-central-1.s3-object-la\
        mbdaZ1.s3-websiteRwest-1.dualstack.s3Zualstack.s3-accesspointZualstack.s3-accesspoint-fipsZ\
        ualstack.s3-fipsZualstack.s3-websiteYemrappui-prodZmrnotebooks-prodZmrstudio-prodZxecute-ap\
        iYs3Z3-accesspointZ3-accesspoint-fipsZ3-fipsZ3-object-lambda com.amazonaws.ca-west-1.s3-web\
        sitePompute*V-1*Oelb*Pu-central-1.analytics-gatewayZ1.aws-cloud9.webview-assetsZ1.cloud9.vf\
        sZ1.cloud9.webview-assetsZ1.dualstack.s3Z1.dualstack.s3-accesspointZ1.dualstack.s3-websiteZ\
        1.emrappui-prodZ1.emrnotebooks-prodZ1.emrstudio-prodZ1.execute-apiZ1.s3 com.amazonaws.eu-ce\
        ntral-1.s3-accesspointZ1.s3-object-lambdaZ1.s3-websiteZ2.dualstack.s3Z2.dualstack.s3-access\
        pointZ2.dualstack.s3-websiteZ2.emrappui-prodZ2.emrnotebooks-prodZ2.emrstudio-prodZ2.execute\
        -apiZ2.s3Z2.s3-accesspointZ2.s3-object-lambdaZ2.s3-websiteRnorth-1.aws-cloud9.webview-asset\
        sZcloud9.vfs com.amazonaws.eu-north-1.cloud9.webview-assetsZdualstack.s3Zdualstack.s3-acces\
        spointZemrappui-prodZemrnotebooks-prodZemrstudio-prodZexecute-apiZs3Zs3-accesspointZs3-obje\
        ct-lambdaZs3-websiteRsouth-1.aws-cloud9.webview-assetsZcloud9.vfsZcloud9.webview-assetsZdua\
        lstack.s3Zdualstack.s3-accesspoint com.amazonaws.eu-south-1.dualstack.s3-websiteZemrappui-p\
        rodZemrnotebooks-prodZemrstudio-prodZexecute-apiZs3Zs3-accesspointZs3-object-lambdaZs3-webs\
        iteX2.dualstack.s3Zdualstack.s3-accesspointZdualstack.s3-websiteZemrappui-prodZemrnotebooks\
        -prodZemrstudio-prodZexecute-api com.amazonaws.eu-south-2.s3Zs3-accesspointZs3-object-lambd\
        aZs3-websiteRwest-1.analytics-gatewayZws-cloud9.webview-assetsYcloud9.vfsZloud9.webview-ass\
        etsYdualstack.s3Zualstack.s3-accesspointZualstack.s3-websiteYemrappui-prodZmrnotebooks-prod\
        Zmrstudio-prodZxecute-apiYs3 com.amazonaws.eu-west-1.s3-accesspointZ3-deprecatedZ3-object-l\
        ambdaZ3-websiteW2.aws-cloud9.webview-assetsYcloud9.vfsZloud9.webview-assetsYdualstack.s3Zua\
        lstack.s3-accesspointYemrappui-prodZmrnotebooks-prodZmrstudio-prodZxecute-apiYs3Z3-accesspo\
        intZ3-object-lambda com.amazonaws.eu-west-2.s3-websiteW3.aws-cloud9.webview-assetsYcloud9.v\
        fsZloud9.webview-assetsYdualstack.s3Zualstack.s3-accesspointZualstack.s3-websiteYemrappui-p\
        rodZmrnotebooks-prodZmrstudio-prodZxecute-apiYs3Z3-accesspointZ3-object-lambdaZ3-websiteOil\
        -central-1.aws-cloud9.webview-assets com.amazonaws.il-central-1.cloud9.vfsZ1.dualstack.s3Z1\
        .dualstack.s3-accesspointZ1.dualstack.s3-websiteZ1.emrappui-prodZ1.emrnotebooks-prodZ1.emrs\
        tudio-prodZ1.execute-apiZ1.s3Z1.s3-accesspointZ1.s3-object-lambdaZ1.s3-websiteOme-central-1\
        .dualstack.s3Z1.dualstack.s3-accesspointZ1.dualstack.s3-websiteZ1.emrappui-prod com.amazona\
        ws.me-central-1.emrnotebooks-prodZ1.emrstudio-prodZ1.execute-apiZ1.s3Z1.s3-accesspointZ1.s3\
        -object-lambdaZ1.s3-websiteRsouth-1.aws-cloud9.webview-assetsZcloud9.vfsZcloud9.webview-ass\
        etsZdualstack.s3Zdualstack.s3-accesspointZemrappui-prodZemrnotebooks-prodZemrstudio-prodZex\
        ecute-api com.amazonaws.me-south-1.s3Zs3-accesspointZs3-object-lambdaZs3-websiteOrds.af-sou\
        th-1*Tp-east-1*Z-2*Vnortheast-1*Zheast-2*Zheast-3*Vsouth-1*Zh-2*Zheast-1*Zheast-2*Zheast-3*\
        Zheast-4* com.amazonaws.rds.ap-southeast-5*Zheast-6*Zheast-7*Sca-central-1*Vwest-1*Seu-cent\
        ral-1*Zral-2*Vwest-1*Z-2*Z-3*Sil-central-1*Sme-central-1*Vsouth-1*Tx-central-1*Ssa-east-1*S\
        us-east-1* com.amazonaws.rds.us-east-2*Vgov-east-1*Zwest-1*Vnortheast-1*Vwest-1*Z-2*Os3Q-1R\
        ap-east-1Unortheast-1Zeast-2Zeast-3Usouth-1Zeast-1Zeast-2Rca-central-1 com.amazonaws.s3-eu-\
        central-1Unorth-1Uwest-1Z2Z3Sxternal-1Rfips-us-gov-east-1Zgov-west-1Rglobal.accesspoint.mra\
        pRme-south-1Rsa-east-1Rus-east-2Ugov-east-1Ywest-1Uwest-1Z2 com.amazonaws.s3-website-ap-nor\
        theast-1Zap-southeast-1Zap-southeast-2Zeu-west-1Zsa-east-1Zus-east-1Zus-gov-west-1Zus-west-\
        1Zus-west-2Pa-east-1.aws-cloud9.webview-assetsYcloud9.vfsZloud9.webview-assetsYdualstack.s3\
        Zualstack.s3-accesspointZualstack.s3-websiteYemrappui-prod com.amazonaws.sa-east-1.emrnoteb\
        ooks-prodZmrstudio-prodZxecute-apiYs3Z3-accesspointZ3-object-lambdaZ3-websiteOus-east-1X.an\
        alytics-gatewayZws-cloud9.webview-assetsYcloud9.vfsZloud9.webview-assetsYdualstack.s3Zualst\
        ack.s3-accesspointZualstack.s3-accesspoint-fipsZualstack.s3-fips com.amazonaws.us-east-1.du\
        alstack.s3-websiteYemrappui-prodZmrnotebooks-prodZmrstudio-prodZxecute-apiYs3Z3-accesspoint\
        Z3-accesspoint-fipsZ3-deprecatedZ3-fipsZ3-object-lambdaZ3-websiteW2.analytics-gatewayZws-cl\
        oud9.webview-assetsYcloud9.vfsZloud9.webview-assets com.amazonaws.us-east-2.dualstack.s3Zua\
        lstack.s3-accesspointZualstack.s3-accesspoint-fipsZualstack.s3-fipsZualstack.s3-websiteYemr\
        appui-prodZmrnotebooks-prodZmrstudio-prodZxecute-apiYs3Z3-accesspointZ3-accesspoint-fipsZ3-\
        deprecatedZ3-fipsZ3-object-lambdaZ3-website com.amazonaws.us-gov-east-1.dualstack.s3Z-1.dua\
        lstack.s3-accesspointZ-1.dualstack.s3-accesspoint-fipsZ-1.dualstack.s3-fipsZ-1.dualstack.s3\
        -websiteZ-1.emrappui-prodZ-1.emrnotebooks-prodZ-1.emrstudio-prodZ-1.execute-apiZ-1.s3Z-1.s3\
        -accesspointZ-1.s3-accesspoint-fipsZ-1.s3-fipsZ-1.s3-object-lambdaZ-1.s3-websiteVwest-1.dua\
        lstack.s3 com.amazonaws.us-gov-west-1.dualstack.s3-accesspointZ-1.dualstack.s3-accesspoint-\
        fipsZ-1.dualstack.s3-fipsZ-1.dualstack.s3-websiteZ-1.emrappui-prodZ-1.emrnotebooks-prodZ-1.\
        emrstudio-prodZ-1.execute-apiZ-1.s3Z-1.s3-accesspointZ-1.s3-accesspoint-fipsZ-1.s3-fipsZ-1.\
        s3-object-lambdaZ-1.s3-websiteRwest-1.aws-cloud9.webview-assetsYcloud9.vfs com.amazonaws.us\
        -west-1.cloud9.webview-assetsYdualstack.s3Zualstack.s3-accesspointZualstack.s3-accesspoint-\
        fipsZualstack.s3-fipsZualstack.s3-websiteYemrappui-prodZmrnotebooks-prodZmrstudio-prodZxecu\
        te-apiYs3Z3-accesspointZ3-accesspoint-fipsZ3-fipsZ3-object-lambdaZ3-website com.amazonaws.u\
        s-west-2.analytics-gatewayZws-cloud9.webview-assetsYcloud9.vfsZloud9.webview-assetsYdualsta\
        ck.s3Zualstack.s3-accesspointZualstack.s3-accesspoint-fipsZualstack.s3-fipsZualstack.s3-web\
        siteYemrappui-prodZmrnotebooks-prodZmrstudio-prodZxecute-apiYs3Z3-accesspointZ3-accesspoint\
        -fips com.amazonaws.us-west-2.s3-deprecatedZ3-fipsZ3-object-lambdaZ3-websiteKcognito.af-sou\
        th-1.authTp-east-1.authVnortheast-1.authZheast-2.authZheast-3.authVsouth-1.authZh-2.authZhe\
        ast-1.authZheast-2.authZheast-3.authZheast-4.authZheast-5.auth com.amazoncognito.ap-southea\
        st-7.authSca-central-1.authVwest-1.authSeu-central-1.authZral-2.authVnorth-1.authVsouth-1.a\
        uthZh-2.authVwest-1.authZ-2.authZ-3.authSil-central-1.authSme-central-1.authVsouth-1.authTx\
        -central-1.authSsa-east-1.auth com.amazoncognito.us-east-1.authZ-1.auth-fipsZ-2.authZ-2.aut\
        h-fipsVgov-east-1.auth-fipsZwest-1.auth-fipsVwest-1.authZ-1.auth-fipsZ-2.authZ-2.auth-fipsG\
        plifyappFppchiziHlinziHs-1and1IpacehostedMusercontent com.appspotL.r*Ftlassian-3p*Q-us-gov-\
        mod*Oisolated-3p*GmetaFuiusercontent*Gthgear-stagingMappsFwsapprunner*KsHglobalacceleratorE\
        balena-devicesGrsycenterJonlineGse44-sandbox com.blogdnsIspotJyteFoutirFplacedFrFuiltwithda\
        rkGmbleshrimpEcafjsGnva-appsKhosted-embedJcodeFdn77-storageFechireFf-ipfsFiscofreak com.cla\
        udeusercontentV.frameGever-cloud.services*Goudflare-ipfsFnFoGde.builder*Jdev-builder*Jstg-b\
        uilder*IspotFprapidGserverFursorusercontent*Gstomer-oci*Q.oci*Tp* com.customer-oci.ocs*Edam\
        nserverGtadetect.demoPinstanceHtolocalJrelayJwebFdnsfreeIgeekJuruIkingFeGployagentGus-canva\
        sGv-myqnapcloudHinapps* com.digitaloceanspaces*GscordsaysMezGtchyouripFnsabrIliasHdojoHiski\
        nkyFoesntexistGjinGntexistGomdnsGpaasFrayddnsGeamhostersGive-platform com.dsmynasFurumisFyn\
        -o-saurHaliasHdns-at-homeOworkLblogLfreeLhomeLipLmailLofficeLpicsLremoteLserverLweb com.dyn\
        dns-wikiMorkHnsHuddnsIhostingEelasticbeanstalkU.af-south-1Wp-east-1Ynortheast-1Zortheast-2Z\
        ortheast-3Ysouth-1Zoutheast-1Zoutheast-2Zoutheast-3Zoutheast-5 com.elasticbeanstalk.ap-sout\
        heast-7Vca-central-1Veu-central-1Ynorth-1Ysouth-1Zouth-2Ywest-1Zest-2Zest-3Vil-central-1Vme\
        -central-1Ysouth-1Vsa-east-1Vus-east-1Zast-2Ygov-east-1 com.elasticbeanstalk.us-gov-west-1Y\
        west-1Zest-2Fmergentagent.previewFncoreapiFst-a-la-maisonPsionIle-patronImon-blogueurFuG1-p\
        lenitFvennode.eu-1Q2Q3Q4Nus-1 com.evennode.us-2Q3Q4EfamilydsGstly-edgeLterrariumIvps-server\
        Fbsbx.appsFirebaseappIwall-gatewayFldrvForgeblocksFramercanvasGeebox-osLosImyip com.from-ak\
        KlKrJcaKtJdcKeJflJgaJhiJiaKdKlKnJksKy com.from-maKdKiKnKoKsKtJncKdKeKhKjKmKvJohKk com.from-\
        orJpaKrJriJscKdJtnKxJutJvaKtJwaKiKvKyEgeekgalaxy com.gentappsIlentapisGtmyipFiizeGthubuserc\
        ontentFleezeFoogleapisKcodeGtdnsHpantheonFrGayjayleaguesEhatenablogKdiaryFealth-carereformG\
        rcules-app com.hercules-devHokuappFkFobby-siteGmelinuxIsecuritymacQpcIunixGsted-by-previder\
        .paasKpiJur.rag-cloudV-chGtelwithflightEiamallamaFk-server.jcloudU-ver-jpc com.ip-ddnsFs-a-\
        anarchistJbloggerKookkeeperKulls-fanJcatererKhefKonservativeKpaKubicle-slaveJdemocratLsigne\
        rKoctorJfinancialadvisorJgeekKreen com.is-a-guruJhard-workerKunterJlandscaperLwyerKiberalOt\
        arianKlamaJmusicianJnascarfanKurseJpainterKersonaltrainerKhotographerKlayerJrepublican com.\
        is-a-rockstarJsocialistKtudentJteacherLchieKherapistIn-accountantMtorNressLnarchistLrtistKe\
        ngineerMtertainerHcertifiedHgoneHinto-anime com.is-into-carsPtoonsMgamesHleetHnot-certified\
        HslickHuberleetHwith-thebandGa-geekIhockeynutGsmarterthanyouFtEjdevcloudFelastic.demoFpnEka\
        sserver com.kozowEla1-plenitGdeskFikes-pieJcandyGnode.membersLnodebalancer*Kobjects*Kuserco\
        ntent.ipGve-websiteFocaltonetGgoipGseyouripGvableprojectFpusercontentFutrausercontent* com.\
        magicpatternsappGssivegrid.paasFesswithdnsGtaaiusercontent*HeorappN.euGxFiniserverFochauser\
        contentGdelscapeFwcloudnonprodFyactivedirectoryHsustorGcloudnasGdattoHbserver com.mydobissG\
        iphostGnascloudGqnapcloudGsecuritycameraHhopblocksKifyHpreadshopGtabitHhic-beasts.caracalTu\
        stomerSfentigerSlynxSocelotTncillaUza com.mythic-beasts.sphinxSvsSxSyaliHuleapGvncEneat-url\
        Gt-freaksFfshostFospamproxy.cloudV.o365Eoaiusercontent*Fbservableusercontent.staticFn-aptib\
        leHforgeHvapor com.onrenderGthewifiFoguyFperauniteFraclecloudapps*Kgovcloudapps*GsitesFutsy\
        stemscloudFwnproviderEpagespeedmobilizerGywhirl*FgfogFivohostingGxolinoFlaystation-cloudGes\
        kns com.point2thisGlyspaceGstman-echoFrgmr.xenGoject-study.devFythonanywhereS.euEqa2FbuserF\
        ualifioappIyhqpartner*Mortal*GicksytesHpelements*ErackmazeFeadthedocs-hosted com.remotewdGn\
        der.appGservdFhcloudFice-labsFoutingthecloudFuEsaGkuratanKwebGlesforce.platform.code-builde\
        r-stg.test.001*Gme-appJpreviewGves-the-whalesFcrysecFecuritytactics com.selfipHls-for-lessO\
        uGrvebbsKeerJcounterstrikeJexchangeJftpJgameJhalflifeKttpKumourJircJmp3Jp2pKics com.servequ\
        akeJsarcasmFhopitsiteFiiitesGmple-urlKsiteGnaappFmushcdnFpace-to-rentFtackhero-networkGrapi\
        appN.mediaHeak-linkKlinksKusercontentJmlitapp com.stufftoreadFubsc-payEtaveusercontentFb-ho\
        sting.siteFeaches-yogaGmp-dnsFheworkpcGingdustdataFownnews-stagingFry-snowplowHcloudflareFu\
        leap-partnersFypeform.proEukFnusualpersonFpsunapp com.usG1-plenitEvipsinaappGvenushopFultro\
        bjects*Ew-corp-staticblitzHredentialless-staticblitzGstaticblitzFafaicloud.jedPrydHflecellF\
        ebadorsiteHspace-hostFiardweb.pagesGredbladehostingGthgoogle com.withyoutubeGxsiteItudioFol\
        tlab-demoGrkisboringFpdevcloudGenginepoweredT.jsGhostedmailGmucdnFritesthisblogEx0FnbayJ.u2\
        M-localFtooldevice com.yolasiteEzaDmbankEunityJ.myforumKnogKravendbDpanyH.myboxFreEuterDsec\
        CndosDstructionEultingDtact contractorsCokingDlE.deFelementorDpCrsicaCuntryDponGsDrsesBpaBr\
        C.acDcoDed cr.fiDgoDorDsaCeditGcardGunionCicketCownCsCuiseGsBuC.comDeduDgob cu.infDnatEetDo\
        rgCisinellaBvC.comDdevDeduDidEntDnetEomeDorgDpublDstore cwC.comDeduDnetDorgBxC.assessmentsE\
        thDcalculatorsEloudnsDfunnelsDgovDinfoDpaynowDquizzesDresearched cx.testsByC.acDbizDcomG.sc\
        aleforce.jDeklogesDgovDltdDmilDnetDorgDpressFoDtmCmru cyouBzC.coFntentproxy9.rscDe4DgovDmet\
        acentrum.cloud*QustomEuni.cloud.fltOusrDrealmAdadCnceCtaDeDing datsunCyBclkBdsBeC.123websei\
        teFhpD2ixD4limaDbarsyEplacedEwcloud-os-instance*DcoFmGmunity-proFsidns.dyn de.ddnssI.dynMdn\
        sIecEiskussionsbereichEnshomeGupdaterEyn-berlinHip24Gamisches-dnsGdns1JsecDfirewall-gateway\
        Erusky*EuettertdasnetzDgit-repos de.goipDheimdnsEome-webserverR.dynH64Es-heilbronn.it.pages\
        Y-researchDin-berlinHrbHutterGdslGvpnFternet-dnsEpv64EservschuleFteingeek de.istmeinDkeymac\
        hineDl-o-g-i-nEcube-serverEebtimnetzFitungsenEima-cityEogoipDmein-iservEyF-gatewayGrouterFh\
        ome-serverFspreadshopDrubFhr-uni-bochum de.ruhr-uni-bochum.noc.ioDschuldockIplattformIserve\
        rEpdnsFeedpartner.customerEquare7ErvdnsEvn-reposDtaifun-dnsEest-iservEraeumtgeradeDvirtual-\
        userKuserDwebspaceconfigDxenonconnect* de.xn--gnstigbestellen-zvbNliefern-wobCalEerEsCgreeC\
        liveryDlDoitteDtaCmocratCntalEistCsiEgnG.bss design.graphicCvD.barsyFearblogFotdashFraveJ.s\
        *EcodepenFrm.aa*Jb*Jc*Jd*Je*Jf*Ici*Id* dev.crm.pa*Jb*Jc*Jd*Je*Jf*Iw*Ja*Jb*Jc*Jd*Je*Jf*Edeno\
        I-stagingEerp dev.erp.webFvervault.relayEflyEgateway*FithubpreviewFrebedocEhrsnEinbrowser*F\
        s-aI-fullstackJgoodHcoolHnot-aGervElcl*Hstage* dev.leapcellFocalcert.user*JplayerGginlineFp\
        G.apiHobjectsEmediatechFocha-sandboxGdxFyaddrEngrokJ-freeEpagesGnelGyload dev.platter-appEr\
        2FeplitK.archerLbonesLcanaryLglobalLhackerLidLjanewayLkimNraOkLodoLparisMicard dev.replit.p\
        ikeMrereleaseLreedMikerLsiskoMpockMtagingMuluLtarpitMeamsMuckerLwesleyMorfFuncontainersEstg\
        *Hstage* dev.storage.t3Lapi.t3EvercelFivenushopEwebhare*ForkersExmitBhlBiamondsCetCgitalCre\
        ctG.libp2pGoryCscountFver dishCyD.discourseEimagineBjBkC.123hjemmesideDbizDcoDfirmDmyspread\
        shopDregDstoreBmC.coFm dm.eduDgovDnetDorgBnpBoC.artDcomDeduDgobFvDmilDnetDorgDsldDweb docsD\
        torCgCmainsCtCwnloadBriveBtvBubaiCpontCrbanBvagCrBzC.artEsso dz.comDeduDgovDnetDorgDpolDsoc\
        DtmAearthCtBcC.abgEdmEgronErqtFt ec.barFseDchefEomFntEpaEueDdentEgnEiscoEocDeduEngEsmDfinEo\
        t ec.galEobFvEyeDibrEnfoDk12DlatEojDmedEilEktgEonDnetEtrDodont ec.officialErgDproGfEsicGqEu\
        bDrioErppDsalDtechEulFrDuioDvetDxxx ecoBdekaCuD.rit.git-pagesDcationJ.coBeC.aipDcomDeduDfie\
        DgovDlibDmedDorgDpri ee.riikBgC.acDcomDeduEunDgovDinfoDmeEilDnameEetDorgDsciEportDtv emailF\
        .intouchGtawk.pKto.pCerckBnergyCgineerIingCterprisesBpsonBquipmentBr*CicssonCniBsC.123miweb\
         es.comDeduDgobDmyspreadshopDnomDorgCqCtateG.compute*BtC.bizDcomDeduDgovDinfoDname et.netDo\
        rgBuC.amazonwebservices.on.eusc-de-east-1.cognito-idp.authDbarsyDcloudnsDdeuxfleursEirectwp\
        EnshomeEogado.jelasticDnxa*DprvwDspdnsDtransurl*CrovisionCs eus.party.userBventsG.coHkoobin\
        BxchangeCpertDosedDressCtraspaceAfageCilDrwindsDthCmilyCnD.mkm fansCrmEersCshionDtBedexCedb\
        ackCrrariEeroBiC.123kotisivuDalandDcloudplatform.fiDdatacenter.demoOpaasEy fi.ikiDkapsiDmys\
        preadshopDxn--hkkinen-5waCdelityDoClmCnalEnceGialJ.coCreEstoneDmdaleCshEing fitDnessBjC.acD\
        bizDcomDeduDgovDidEnfoDmilDnameEetDorgDproBk* flickrDghtsDrCoristDwersCyBmC.comDeduDnetDorg\
        DradioDuser*BoCoDd footballCrdDexDsaleDumCundationCxBrC.123sitewebDaeroportEssoEvocatGuesDc\
        ciEhambagriFirurgiens-dentistes fr.chirurgiens-dentistes-en-franceEomDdediboxDexperts-compt\
        ablesDfbx-osGosEreebox-osKosDgoupileGvEretaDhuissier-justiceDkdnsDmedecinEyspreadshopDnom f\
        r.notairesDon-webDpharmacienEortErdDtmDveterinaireDynhCeeDseniusClCogansDntierBtrBujitsuCn \
        fun.msEvicpEyicpEzicpDdCrnitureCtbolByiAgaClDleryEoEupCmeEsF.pley games.sheezyCpCrdenCyD.pa\
        gesBbCizBdC.eduDgovCnD.cnpyBeC.comEybDedu ge.govDllcDnetDonlineErgDpvtDschoolDtnxCaCntEingC\
        orgeBfBgC.botdashDco gg.kaasDnetDorgDpanelI.daemonEly.at*Hd6DstackitCeeBhC.bizDcomDeduDgovD\
        milDnet gh.orgBiC.comDeduDgovDltdDmodDorgCftEsCvesDingBlC.coFmDedu gl.netDorgCassCeCobalG.a\
        ppwriteEoBmCailCbhCoCxBnC.acDcomDedu gn.govDnetDorgBodaddyCldEpointDfCodyearDgE.cloudFtrans\
        lateFusercontent*EleCpCtCv gpC.assoDcomDeduDmobiDnetDorgBqBrC.barsyDcomDeduDgovDnetDorgDsim\
        plesite graingerDphicsDtisCeenCipeCoceryDupF.discourseBsBtC.comDeduDgobDindDmilDnet gt.orgB\
        uC.comDeduDgovEuamDinfoDnetDorgDwebCcciCgeCideDtarsCruBw gw.nxByC.coFmDeduDgovDnetDorgAhair\
        CmburgCngoutCusBboBdfcEbankBealth health.hraGcareClpDsinkiCreDmesBiphopCsamitsuCtachiCvBkC.\
        comDeduDgovDidvEnc hk.ltdDnetDorgDxn--55qx5dHciqpnHgmq050iKw5aHio0a7iHlcvr32dHmk0axiIxtq1mH\
        od0algLq3bHtn0agHuc0atvLy4a hk.xn--wcvs22dHzf0avxCtBmBnC.comDeduDgobDmilDnetDorgBockeyCldin\
        gsDidayCmedepotEgoods homesFenseCndaCrseCspitalDtE.boltFcloudaccessFeasypanelGmergentFfastv\
        psGreesiteFgadgetFhalfFiservFjele host.mircloudGyfastFtempurlFwp2HmudevEingH.opencraftCtDel\
        FsDmailCuseCwBrC.brendly.shopDcom hr.fromDizDnameBsbcBtC.adultErtEssoDcomFopDeduDfirmDgouvD\
        infoDmedDnet ht.orgDpersoEolEroDrelEtDshopBuC.2000DagrarDboltDcasinoEityEoDeroticaIka hu.fi\
        lmEorumDgamesDhotelDinfoFgatlanDjogaszDkonyveloDlakasDmediaDnewsDorgDprivDreklamDsexEhop hu\
        .sportEuliEzexDtmEozsdeDutazasDvideoCghesByattCundaiAibmBcbcCeCuBdC.ac id.aiDbizDcoDdesaDeD\
        goDkopDmilEyDnetDorDponpesDschDwebDxn--9tfkyDzone ieC.govDmyspreadshopCeeBfmBkanoBlC.acDcoF\
        .mytabitGravpageGtabitorderDgovDidfDk12Dmuni il.netDorgBmC.acDcoF.ltdGplcFmDnetDorgDttEvCam\
        atCdbCmoEbilien inC.5gD6gDacEeroEiElumniEmDbankFrsyEiharFzEusinessDcaEloudnsEn in.coFmFopEs\
        DdelhiErDeduErDfinFrmDgenEovEujaratDindGevsFfo in.intGernetEoDmeEilDnetEicDorgDpgEostEroDre\
        sDschoolEupabaseDtravelEv in.ubEkEpEsDwebCcCdustriesCfinitiDoE.barrel-of-knowledgeLl-of-kno\
        wledgeIsyFcloudnsFdnsupdateGvrcamGynamic-dns info.dyndnsFfor-ourIumzFgroks-theNisFhere-for-\
        moreFilovecollegeFknowsitallFmayfirstGittwaldNserverFno-ipGsupdateFselfipFtypo3serverFv-inf\
        o info.webhopCgCkCstituteDuranceFeCtD.euDernationalDuitCvestmentsBoC.2038DapigeeEzurecontai\
        ner*Db-data io.barsyFsicserverEeagleboardFebyte.paasKapp.sekd1EitbucketEluebiteEoxfuseErave\
        I.s*FowsersafetymarkEubble.cdnJappsDcleverappsFoudbeesusercontentEo io.comDdappnode.dyndnsF\
        rklangEedynFfinimaErive-platformDeditorxFuGgitDfh-muensterEorgerock.idDgitbookGhubGlabEovDh\
        asura-app io.hostyhostingEypernodeDicp0H.raw*G1H.raw*DjeleDkeeneticEiloappsDlair.appsEoginl\
        ineFlipopDmilEo-siemensFonscale*Eusician io.myaddrFrdbxDnetEgrokI.apKuJeuJinJjpJsaJusEodear\
        t.stageFmDon-k3s*Grio*Erg io.pantheonsiteEstmnI.mockDqcxG.sys*EotoEzzDrb-hosting.siteEeadth\
        edocsFsindeviceIstaging.devicesDsandcatsEcrypted.clientEtolos*DtelebitEhingdust.dev.cust io\
        .thingdust.dev.reservdOisrec.custUreservdNprod.custNtesting.custVreservdEicketsDutwenteDvap\
        orcloudEirtualserverDwebflowKtestGthingsEixstudioBpirangaBq iq.comDeduDgovDmilDnetDorgBrC.a\
        cErvanedgeDcoDgovDidDnetDorgDschDvistablog ir.xn--mgba3a4f16aPraCishBsCmailiCtDanbulBtC.123\
        homepageE6-bD32-bD64-bDabrGuzzoEgFrigento it.alFessandriaFto-adigeHadigeEnFconaFdria-barlet\
        ta-traniKtrani-barlettaJbarlettatraniJtranibarlettaEoFstaI-valleyIvalleyHeEp it.aqErFezzoEs\
        coli-picenoJpicenoFtiEtEvFellinoDbaFlsanJ-sudtirolMedtirolFriGletta-trani-andriaLtraniandri\
        a it.basGilicataEellunoFneventoFrgamoEgEiFellaElEnEoFlognaGzanoK-altoadigeFzenI-sudtirol it\
        .bozen-suedtirolErFesciaFindisiEsEtEulsanJ-sudtirolMedtirolEzDcaFgliariFlGabriaGtanissettaF\
        m it.campaniaHidano-medioMmedioHobassoFrbonia-iglesiasLiglesiasGrara-massaKmassaFsertaFtani\
        aIzaroEbEeFsena-forliJforliEh it.chietiEiElEnEoFmoFsenzaErFemonaFotoneEsEtEuneoEzDdell-ogli\
        astraHogliastra it.dnshomeDeduEmilia-romagnaJromagnaFrEnFnaDfcEeFrmoGraraEgEiFrenzeElorence\
        Em it.foggiaFrli-cesenaIcesenaErFiuli-v-giuliaLe-giuliaMgiuliaMnezia-giuliaRgiuliaLgiuliaJv\
        -giuliaKe-giuliaLgiuliaLnezia-giuliaQgiuliaKgiulia it.frosinoneEvgDgeFnoaHvaEoFriziaFvErFos\
        setoDibxosEglesias-carboniaLcarboniaEliadboxosEmFperia it.isFerniaDkrDla-speziaFquilaFspezi\
        aFtinaFzGioEcEeFcceHoEiFgGuria it.livornoEoFdiFmGbardiaKyEtEuFcaniaGcaDmacerataFntovaFrGche\
        Fssa-carraraIcarrara it.materaEbEcEeFdio-campidanoIcampidanoFssinaEiFlanIoEnEoFdenaFlGiseFn\
        za it.monza-brianzaJe-della-brianzaIbrianzaIebrianzaJdellabrianzaEsEtEyspreadshopDnaFplesGo\
        liEeen.jcEoFvaraEuForo it.ogFliastraElbia-tempioItempioErFistanoEtDpaFdovaGuaFlermoFrmaFvia\
        EcEdEe it.perugiaFsaro-urbinoJurbinoGcaraEgEiFacenzaFedmontGmonteFsaGtoiaEmnEnEoFrdenoneFte\
        nza it.prFatoEtEuFgGliaEvEzDraFgusaFvennaEcEeFggio-calabriaKemiliaJcalabria it.reggioemilia\
        EgEiFetiFminiEmEnEoFmaGeFvigoDsaFlernoFrGdegnaHinia it.sassariFvonaEiFcGiliaIyFenaFracusaEo\
        FndrioEpErEsEuFd-sardegnaGsardegna it.suedtirolEvEyncloudDtaFaFrantoEeFmpio-olbiaJolbiaFram\
        oGniEnEoFrinoFsGcana it.tpErFani-andria-barlettaJbarletta-andriaIandriabarlettaIbarlettaand\
        riaGpaniFentin-sud-tirolOtirolNed-tirolPtirolKoL-a-adigeNadigeNlto-adigeQadige it.trentino-\
        s-tirolNtirolNud-tirolPtirolOed-tirolQtirolLa-adigeMadigeMlto-adigePadigeLs-tirolMtirolMud-\
        tirolNed-tirolPtirolKsud-tirol it.trentinsudtirolMed-tirolOtirolIoGvisoFiesteEsEurinFscanyE\
        vDudFineEmbGriaErbino-pesaroJpesaro it.vaFl-d-aostaIaostaGd-aostaGle-aostaJd-aostaKaostaIao\
        staId-aostaJaostaIe-aosteKd-aosteJaosteJdaosteFoFrese it.vbEcEdaEeFnGetoHziaGiceFrbaniaJo-c\
        usio-ossolaGcelliGonaEiFbo-valentiaHvalentiaFcenza it.viterboErEsEtEvDxn--balsan-sdtirol-ns\
        bIozen-sdtirol-2obIulsan-sdtirol-nsbHcesena-forl-mcbNforl-i8aHforl-cesena-fcbLcesena-c8aHsd\
        tirol-n2aHtrentin-sd-tirol-rzbRtirol-7vbOo-sd-tirol-c3b it.xn--trentino-sdtirol-szbPsd-tiro\
        l-rzbRtirol-7vbOsd-tirol-6vbQtirol-nsbHvalle-aoste-ebbNd-aoste-ehbMaoste-e7aMdaoste-ebbCauC\
        vAjaguarCvaBcbBeC.co je.netDofErgCepCtztCwelryBioBllBm*CpBnjBoC.agriEiDcomDedu jo.engDfmDgo\
        vDmilDnetDorgDperEhdDschDtvCbsDurgCtCyBpC.0am jp.0g0Ej0Et0D2-dDacEdEichiI.aisaiKmaKnjoKsuke\
        JchiryuMtaJfusoJgamagoriJhanda jp.aichi.hazuKekinanKigashiuraJichinomiyaKnazawaLuyamaKsshik\
        iKwakuraJkanieLriyaLsugaiKiraLyosuKomakiLnanLta jp.aichi.mihamaLyoshiJnishioMshinJobuKguchi\
        KharuKkazakiKwariasahiJsetoKhikatsuMnshiroMtaraJtaharaLkahamaKobishima jp.aichi.toeiLgoLkai\
        MonameLyoakeNhashiNkawaNneNtaKsushimaJyatomiEkitaI.akitaJdaisenJfujisatoJgojome jp.akita.ha\
        chirogataLppouKigashinaruseKonjoNyoJikawaJkamikoaniNokaLtagamiLzunoKitaakitaKosakaKyowaJmis\
        atoLtaneKoriyoshi jp.akita.nikahoKoshiroJodateKgaMtaJsembokuJyokoteKurihonjoEngryEomoriJ.ao\
        moriKgonoheKhachinoheMshikamiLiranaiNosaki jp.aomori.itayanagiKkuroishiKmisawaLutsuKnakadom\
        ariLohejiKoiraseLwaniKrokunoheKsannoheLhichinoheNngoKtakkoLowadaLsugaruNruta jp.babyblueHmi\
        lkFckdropFmbinaEitterElushEonaFoFyGfriendEutFyshopDcandypopFpooFtfoodEheap jp.chibaI.abikoK\
        sahiJchonanMseiNhiLuoJfunabashiLttsuJhanamigawaJichiharaNkawaNnomiyaKnzaiKsumiJkamagaya jp.\
        chiba.kamogawaLshiwaLtoriMsuuraKimitsuLsarazuKozakiKujukuriKyonanJmatsudoKidoriLhamaLnamibo\
        soKobaraKutsuzawaJnagara jp.chiba.nagareyamaLrashinoMitaKodaJoamishirasatoKmigawaKnjukuKtak\
        iJsakaeMuraKhimofusaMrakoNoiMsuiKodegauraLsa jp.chiba.takoLteyamaKoganeLhnoshoLmisatoJuraya\
        suJyachimataOyoKokaichibaMoshibahikariLtsukaidoGcappaGlloutGpsFowderFu jp.ciaoEoFcotteFolbl\
        ogErankyGpEutegirlDdaaFynightEecaGiEigickDedEekEgoismEhime jp.ehime.ainanJhonaiJikataKmabar\
        iKyoJkamijimaKihokuKumakogenJmasakiLtsunoOyamaJnamikataKiihamaJozuJsaijoKeiyo jp.ehime.shik\
        okuchuoJtobeLonJuchikoKwajimaJyawatahamaDfakefurFshionstoreEemElierFopHpyEoolErenchkissEuku\
        iI.echizen jp.fukui.eiheijiJfukuiJikedaJkatsuyamaJmihamaLnamiechizenJobamaKhiKnoJsabaeLkaiJ\
        takahamaKsurugaJwakasaHokaK.ashiya jp.fukuoka.buzenLchikugoQhoQjoQshinoQzenNuoLdazaifuLfuku\
        chiLhakataMigashiNrokawaNsayamaLiizukaMnatsukiLkaho jp.fukuoka.kasugaPyaNwaraMeisenMogaMura\
        teOogiOumeLminamiNyakoPmaPwakaNzumakiMunakataLnakagawaPma jp.fukuoka.nishiMogataLogoriMkaga\
        kiOwaNiMmutaMngaNojoMtoLsaigawaNsaguriMhinguPyoshitomiNonaiMoeda jp.fukuoka.sueLtachiaraiNg\
        awaNkataMohoNyotsuMsuikiLukihaMmiMsuiLyamadaOeNnagawaMukuhashiHshimaM.aizubange jp.fukushim\
        a.aizumisatoRwakamatsuOsakawaNbandaiNdateNfukushimaPrudonoPtabaNhanawaOigashiPrataQonoNiita\
        teOnawashiroOshikawaOwaki jp.fukushima.izumizakiNkagamiishiPneyamaPwamataOitakataRshiobaraO\
        ooriPriyamaOunimiNmiharuPshimaNnamiePngoOishiaizuSgoNokuma jp.fukushima.omotegoOnoOtamaNsam\
        egawaOhimogoQrakawaPowaOomaOukagawaNtaishinPmakawaPnaguraOeneiNyabukiPmatoSsuri jp.fukushim\
        a.yanaizuOugawaDgifuH.anpachiIenaIgifuKnanJodoJujoIhashimaJichisoKdaKgashishirakawaIibigawa\
        JkedaIkakamigahara jp.gifu.kaniKsaharaMmatsuKwaueJitagataIminoMkamoKtakeKzunamiJotosuInakat\
        sugawaIogakiIsakahogiJekiMgaharaJhirakawa jp.gifu.tajimiKkayamaKruiJokiKmikaIwanouchiIyamag\
        ataKotsuJoroFrlfriendHyEloomyEoFnnaErFeater jp.gunmaI.annakaJchiyodaJfujiokaJhigashiagatsum\
        aJisesakiKtakuraJkannaMraLtashinaLwabaKiryuKusatsuJmaebashiKeiwaKidori jp.gunma.minakamiJna\
        ganoharaLkanojoLnmokuKumataJoizumiKraKtaJshibukawaMmonitaMntoLowaJtakasakiNyamaLmamuraLteba\
        yashi jp.gunma.tomiokaKsukiyonoMmagoiJuenoJyoshiokaDhaccaFlfmoonFndcraftedFtebloHnablogJdia\
        ryEeavyFrEihoFppyFroshima jp.hiroshima.asaminamiNdaiwaNetajimaNfuchuPkuyamaNhatsukaichiOiga\
        shihiroshimaOongoNjinsekikogenNkaitaOuiPmanoPreNmiharaPyoshiNnaka jp.hiroshima.onomichiOsak\
        ikamijimaOtakeNsakaOeraRnishiOhinichiPobaraNtakeharaEokkaidoL.abashiriOiraNibetsuNkabiraOke\
        shiNsahikawa jp.hokkaido.ashibetsuPoroOsabuNtsumaMbibaiOeiOfukaOhoroOratoriMchippubetsuPtos\
        eMdateMebetsuNmbetsuNniwaNrimo jp.hokkaido.esanPshiMfukagawaPushimaOranoPubiraMhaboroOkodat\
        eOmatonbetsuNidakaOgashikaguraVwaOrooNokuryuQtoOnbetsu jp.hokkaido.horokanaiQnobeMikedaNmak\
        aneNshikariNwamizawaPnaiMkamifuranoQkawaQshihoroRunagawaPoenaiOyabeNembuchiNikonaiOmobetsu \
        jp.hokkaido.kitahiroshimaQmiOyosatoNoshimizuNunneppuOriyamaPomatsunaiOshiroOtchanNyowaMmash\
        ikeOtsumaeNikasaOnamifuranoNombetsuOseushi jp.hokkaido.mukawaOroranMnaieOkagawaQsatsunaiQto\
        mbetsuOnaePporoOyoroNemuroNiikappuOkiOshiokoppeNoboribetsuNumataMobihiro jp.hokkaido.obiraN\
        ketoOoppeNtaruOobePfukePineppuNumuNzoraMpippuMrankoshiNebunNikubetsuOshiriTfujiMsaroma jp.h\
        okkaido.sarufutsuNhakotanPriOibechaRtsuPkabeRoiPmamakiQizuQokawaPnshinotsuQtokuPranukaRoiQi\
        uchiNobetsu jp.hokkaido.sunagawaMtaikiOkasuPikawaQnoueNeshikagaNobetsuOhmaOmakomaiQriOyaQko\
        PotomiQuraNsubetsuPkigata jp.hokkaido.urakawaPusuOyuNtashinaiMwakkanaiOssamuMyakumoNoichiFl\
        yEungryEyogoI.aioiKkashiLoKmagasakiKogaki jp.hyogo.asagoLhiyaKwajiJfukusakiJgoshikiJharimaK\
        imejiJichikawaKnagawaKtamiJkakogawaLmigoriNkawaLsaiMugaLwanishi jp.hyogo.mikiLnamiawajiJnis\
        hinomiyaOwakiJonoJsandaMnanLsayamaLyoKhinguNonsenMsoKumotoJtaishiLkaNrazuka jp.hyogo.takasa\
        goMinoLmbaLtsunoKoyookaJyabuLshiroKokaNwaDibarakiK.amiMsahiLbandoLchikuseiLdaigoLfujishiro \
        jp.ibaraki.hitachiSnakaSomiyaTtaLibarakiMnaOshikiMtakoMwamaLjosoLkamisuNsamaOhimaOumigauraM\
        ogaLmiho jp.ibaraki.mitoMoriyaLnakaNmegataLoaraiMgawaMmitamaLryugasakiLsakaiOuragawaMhimoda\
        teQtsumaOrosatoMowaMuifuLtakahagi jp.ibaraki.tamatsukuriMokaiNmobeNneNrideMsuchiuraOkubaLuc\
        hiharaMshikuLyachiyoNmagataNwaraMukiEcurusEshikawaL.anamizu jp.ishikawa.hakuiQsanMkagaOhoku\
        OnazawaOwakitaNomatsuMnakanotoOnaoNomiOnoichiOtoMshikaNuzuMtsubataPrugi jp.ishikawa.uchinad\
        aMwajimaEtigoEwateI.fudaiLjisawaJhanamakiKiraizumiMonoJichinohePsekiKwaizumiMteJjobojiJkama\
        ishiLnegasaki jp.iwate.karumaiLwaiKitakamiKujiLnoheLzumakiJmiyakoLzusawaKoriokaJninoheKodaJ\
        ofunatoKshuKtsuchiJrikuzentakataJshiwa jp.iwate.shizukuishiKumitaJtanohataKonoJyahabaLmadaD\
        jeezFllybeanDkagawaJ.ayagawaKhigashikagawaKkanonjiLotohiraKmannoMrugameLitoyo jp.kagawa.nao\
        shimaKsanukiKtadotsuMkamatsuLonoshoKuchinomiLtazuKzentsujiGoshimaM.akuneOmamiNhiokiNisaPenO\
        zumiNkagoshima jp.kagoshima.kanoyaPwanabeOinkoOouyamaNmakurazakiPtsumotoOinamitaneNnakatane\
        OishinoomoteNsatsumasendaiOooNtarumizuNyusuiFnagawaL.aikawaNtsugi jp.kanagawa.ayaseMchigasa\
        kiMebinaMfujisawaMhadanoOkoneNiratsukaMiseharaMkaiseiOmakuraNiyokawaMmatsudaNinamiashigaraO\
        uraMnakaiNinomiya jp.kanagawa.odawaraNiOsoMsagamiharaOmukawaMtsukuiMyamakitaQtoNokosukaNuga\
        waraMzamaNushiFwaiishopHsaki*L.city!Eikirara jp.killGoFtakyushu*N.city!Eobe*H.city!FchiI.ak\
        iJgeiseiJhidakaLgashitsunoJinoJkagamiLmiKitagawaKochi jp.kochi.miharaKotoyamaKurotoJnahariL\
        kamuraLnkokuKishitosaLyodogawaJochiKkawaKtoyoLsukiJsakawaKukumoLsakiJtosa jp.kochi.tosashim\
        izuLyoKsunoJumajiJyasudaKusuharaEumamotoL.amakusaNraoNsoMchoyoMgyokutoMkamiamakusaNikuchiNu\
        mamotoMmashiki jp.kumamoto.mifuneOnamataRioguniMnagasuNishiharaMoguniNzuMsumotoMtakamoriMuk\
        iNtoMyamagaQtoOtsushiroFronEyoto jp.kyoto.ayabeJfukuchiyamaJhigashiyamaJideKneJjoyoJkameoka\
        MoKitaLzuKumiyamaKyotambaOnabePgoJmaizuruKinami jp.kyoto.minamiyamashiroLyazuKukoJnagaokaky\
        oLkagyoLntanJoyamazakiJsakyoKeikaJtanabeJujiMtawaraJwazukaJyamashinaLwataDlg jp.littlestarE\
        olipopmcHtapunkFmoFvepopHsickDmainFtrixEieG.asahiHinabeIseHkameyamaJwagoeIihoJsosaki jp.mie\
        .kiwaIomonoIumanoJwanaHmatsusakaIeiwaIihamaJnamiiseJsugiJyamaHnabariHshimaIuzukaHtadoJikiJk\
        i jp.mie.tamakiIobaIsuHudonoIreshinoHwataraiHyokkaichiFmozaFyagiJ.furukawaKhigashimatsushim\
        aKishinomakiLwanumaKkakudaMmiMwasaki jp.miyagi.marumoriMtsushimaLinamisanrikuMsatoLurataKna\
        toriKogawaraLhiraLnagawaLsakiKrifuKsemineLhibataNchikashukuNkamaNogama jp.miyagi.shiroishiK\
        tagajoMiwaLomeNiyaKwakuyaMtariKyamamotoKzaoHzakiL.ayaMebinoMgokaseMhyugaMkadogawaOwaminami \
        jp.miyazaki.kijoOtagawaQkataQuraNobayashiNunitomiOshimaMmimataOyakonojoQzakiNorotsukaMnichi\
        nanOshimeraNobeokaMsaitoNhiiba jp.miyazaki.shintomiMtakaharuQnabeQzakiNsunoEodsFndGgolianFo\
        EydnsDnaganoJ.achiLgematsuLnanLokiLsahi jp.nagano.azuminoKchikuhokuPmaNnoKfujimiKhakubaMraL\
        irayaKiidaMjimaMyamaMzunaLkedaMusakaLnaKkaruizawa jp.nagano.kawakamiLisoOfukushimaMtaaikiLo\
        maganeNoroKmatsukawaPmotoLiasaMnamiaikiQmakiRinowaNowaMyadaNotaLochizuki jp.nagano.naganoOw\
        aNisoMkagawaOnoLozawaonsenKobuseLgawaLkayaLmachiMiLokuwaMshikaLtakiNriKsakae jp.nagano.saka\
        kiNuOhoLhimosuwaNnanomachiNojiriLuwaMzakaKtakagiOmoriOyamaMteshinaNsunoLogakushiNuraMmi jp.\
        nagano.uedaKwadaKyamagataOnouchiMsakaNuokaHsakiL.chijiwaMfutsuMgotoMhasamiNiradoMikiNsahaya\
        MkawatanaNuchinotsu jp.nagasaki.matsuuraMnagasakiMobamaNmuraNsetoMsaikaiOseboNeihiNhimabara\
        PnkamigotoMtogitsuNsushimaMunzenGoya*J.city!Fmaste jp.naraH.andoIgoseIheguriJigashiyoshinoI\
        ikarugaKomaIkamikitayamaKnmakiKshibaNharaKtsuragiKwaiMkamiMnishiJoryo jp.nara.kurotakiImits\
        ueKyakeInaraJosegawaIojiJudaJyodoIsakuraiKngoJhimoichiNkitayamaLnjoJoniItakatoriKwaramoto j\
        p.nara.tenkawaLriIudaIyamatokoriyamaOtakadaMzoeJoshinoEeF.aseinet.userGgehirnGivoryGmail-bo\
        xHintsHokurenGopalGsakura jp.ne.sumomoGtopazFtgamersEiigataK.agaOnoLgosenLitoigawaMzumozaki\
        LjoetsuLkamoNriwaNshiwazakiLminamiuonumaNtsukeMuika jp.niigata.murakamiMyokoLnagaokaMiigata\
        LojiyaMmiLsadoNnjoMeiroQuNkikawaMhibataLtagamiNinaiMochioNkamachi jp.niigata.tsubameOnanLuo\
        numaLyahikoMoitaMuzawaFkitaEobushiForEyantaDo0o0EitaH.beppuJungoonoNtakadaIhasama jp.oita.h\
        ijiKmeshimaKtaIkamitsueJokonoeJujuKnisakiKsuIoitaIsaikiItaketaJsukumiIusaKukiIyufuEkayama j\
        p.okayama.akaiwaMsakuchiLbizenLhayashimaLibaraLkagaminoNsaokaMibichuoMumenanNrashikiLmaniwa\
        MisakiLnagiMiimiNshiawakuraLokayama jp.okayama.satoshoMetouchiMhinjoNooMojaLtakahashiNmanoM\
        suyamaLwakeLyakageFinawaK.aguniLginowanPzaMushikamiLhaebaru jp.okinawa.higashiNraraLiheyaMs\
        higakiPkawaMtomanMzenaLkadenaMinNtadaitoPnakagusukuMumejimaNnigamiLminamidaitoMotobuLnago j\
        p.okinawa.nahaNkagusukuOijinNnjoMishiharaLogimiMkinawaMnnaLshimojiLtaketomiNramaMokashikiNm\
        igusukuNnakiLurasoeNuma jp.okinawa.yaeseMomitanNnabaruPguniLzamamiEopsErEsakaI.abenoJchihay\
        aakasakaLuoJdaitoJfujiideraJhabikinoLnnanKigashiosaka jp.osaka.higashisumiyoshiQyodogawaLra\
        kataJibarakiKkedaKzumiOotsuOsanoJkadomaLizukaLnanLshiwaraLtanoLwachinaganoKishiwadaLta jp.o\
        saka.kumatoriJmatsubaraKinatoMohLsakiKoriguchiJneyagawaKishiKoseJosakasayamaJsakaiLyamaKenn\
        anLttsuKhijonawateMmamoto jp.osaka.suitaJtadaokaLishiLjiriLkaishiNtsukiKondabayashiLyonakaO\
        oJyaoDparallelHsiteEecoriFeweeFnneFpper jp.permaEgwEigboatFnokoEunyuFpuFssycatEyaDraindropE\
        dyEeadymadeEgrEulezDsadistFgaH.ariake jp.saga.aritaIfukudomiIgenkaiIhamatamaJizenIimariIkam\
        imineKnzakiKratsuKshimaJitagataMhataKyamaJouhokuJyuragiInishiarita jp.saga.ogiJmachiJuchiIs\
        agaJhiroishiItakuKraJosuIyoshinogariFitamaK.arakawaMsakaLchichibuLfujimiRnoNkaya jp.saitama\
        .hannoOyuNsudaNtogayaPyamaMidakaNgashichichibuSmatsuyamaMonjoLinaMrumaMwatsukiLkamiizumiPka\
        waPsatoNsukabe jp.saitama.kawagoeQuchiPjimaNzoMitamotoMoshigayaNunosuMukiNmagayaLmatsubushi\
        MinanoNsatoNyashiroOoshiMoroyamaLnagatoro jp.saitama.namegawaMiizaLoganoOwaNoseMkegawaMmiya\
        MtakiLranzanMyokamiLsaitamaNkadoNtteNyamaMhikiOraoka jp.saitama.sokaMugitoLtodaNkigawaOoroz\
        awaMsurugashimaLurawaLwarabiLyashioMokozeNnoNriiNshidaQkawaQmiFkurastorage.isk01.s3 jp.saku\
        rastorage.isk02.s3FloonFpporo*K.city!EbloEchoolbusEecretFndai*J.city!EhigaI.aishoJgamoJhiga\
        shiomiLkoneJkokaLnan jp.shiga.koseiLtoKusatsuJmaibaraKoriyamaJnagahamaKishiazaiKotogawaJomi\
        hachimanKtsuJrittoKyuohJtakashimaNtsukiKorahimeLyosato jp.shiga.yasuGmaneK.akagiMmaLgotsuLh\
        amadaMigashiizumoNkawaOimiLizumoLkakinokiLmasudaNtsueMisatoLnishinoshimaLohda jp.shimane.ok\
        inoshimaNuizumoLshimaneLtamayuMsuwanoLunnanLyakumoNsugiNtsukaGzuokaL.araiNtamiMfujiQedaQkaw\
        aQnomiya jp.shizuoka.fukuroiMgotembaMhaibaraOmamatsuNigashiizuMitoNwataNzuPnokuniMkakegawaO\
        nnamiOwanehonQzuNikugawaNosaiMmakinohara jp.shizuoka.matsuzakiNinamiizuOshimaNorimachiMnish\
        iizuNumazuMomaezakiMshimadaQizuQodaPzuokaNusonoMyaizuNoshidaEkrEtaba jp.stripperEubFnnydayF\
        persaleDtankEheshopFickEochigiK.ashikagaLbatoLhagaLichikaiMwafuneLkaminokawaNnumaNrasuyama \
        jp.tochigi.kuroisoLmashikoMibuMokaNtegiLnasuPshiobaraMikkoNshikataMogiLohiraNtawaraMyamaLsa\
        kuraNnoMhimotsuke jp.tochigi.shioyaLtakanezawaMochigiMsugaLujiieMtsunomiyaLyaitaFkushimaM.a\
        izumiOnanNichibaOtanoNkainanOomatsushimaNmatsushigeOima jp.tokushima.minamiPyoshiOugiNnakag\
        awaPrutoNsanagochiOhishikuiNtokushimaNwajikiGyoI.adachiKkirunoMshimaKogashimaKrakawaJbunkyo\
         jp.tokyo.chiyodaLofuLuoJedogawaJfuchuLssaJhachijoOojiLmuraKigashikurumeQmurayamaQyamatoLno\
        NdeNharaJinagi jp.tokyo.itabashiJkatsushikaKitaLyoseKodairaLganeiLkubunjiLmaeLtoLuzushimaKu\
        nitachiJmachidaKeguroKinatoLtakaLzuho jp.tokyo.musashimurayamaQnoJnakanoKerimaJogasawaraKku\
        tamaKmeKshimaKtaJsetagayaKhibuyaMnagawaNjukuKuginamiLmidaJtachikawa jp.tokyo.taitoLmaKoshim\
        aFnkotsuFttoriK.chizuLhinoLkawaharaMogeNtouraLmisasaLnanbuMichinanLsakaiminatoLtottoriLwaka\
        sa jp.tottori.yazuMonagoFyamaJ.asahiKfuchuMkumitsuMnahashiKhimiKimizuLnamiKjohanaKkamiichiL\
        urobeKnakaniikawaMmerikawaMnto jp.toyama.nyuzenKoyabeKtairaMkaokaMteyamaLogaMnamiMyamaKunaz\
        ukiLozuKyamadaDuh-ohEnderGoEpperEsercontent jp.velvetFrseHusEivianDwakayamaL.aridaRgawaMgob\
        oMhashimotoNidakaOrogawaMinamiNwadeMkainanOmitondaOtsuragi jp.wakayama.kiminoOnokawaOtayama\
        NoyaOzaQgawaNudoyamaOshimotoMmihamaOsatoMnachikatsuuraMshinguPrahamaMtaijiOnabeMwakayama jp\
        .wakayama.yuasaOraFtsonEebaccel.rsMuserGlikeGsozaiEhitesnowEjgDxiiEn--0trq7p7nnH1ctwoIlqs03\
        nL71dH2m4a15eH32vp30h jp.xn--4it168dK797kIpvxsH5js045dIrtp49cKq34kH6btw5aIorx2rH7t0a264cH8l\
        tr62kIpvr4uHc3s14mHd5qv7z876cIjrs72d6uyJty4kHefvn9s jp.xn--ehqz56nIlqq16hHf6qx53aHk7yn95eIb\
        rq7oIlt787dKp7dKx9aKy5xHmkru45iHnit225kItso0iqx3aKq17gHpssu33lHqqqt11mHrht27z jp.xn--rht3dK\
        61eIny31hHtor131oHuist22hKz3gIuwu58aHvgu402cHzbx025dDyamagataL.asahiMfunagataMhigashineMiid\
        eMkahokuOminoyama jp.yamagata.kaneyamaOwanishiMmamurogawaNikawaNurayamaMnagaiOkayamaOnyoNis\
        hikawaMobanazawaNeNguniNhkuraNishidaMsagaeOkata jp.yamagata.sakegawaNhinjoPratakaOonaiMtaka\
        hataNendoNozawaNsuruokaMyamagataQnobeNonezawaNuzaIuchiM.abuNhagiOikari jp.yamaguchi.hofuNiw\
        akuniNkudamatsuNmitouNnagatoNoshimaNshimonosekiPunanNtabuseOokuyamaPyotaNubeNyuuHnashiM.chu\
        oNdoshi jp.yamanashi.fuefukiPjikawaVguchikoRyoshidaNhayakawaOokutoNichikawamisatoNkaiOofuPs\
        huQugeNminami-alpsQobuNnakamichiPnbuPrusawa jp.yamanashi.nirasakiPshikatsuraNoshinoOtsukiNs\
        howaNtabayamaOsuruNuenoharaNyamanakakoTshiEokohama*L.city!DzombieCmorganCrsBuegos juniperAk\
        aufenBddiBeC.acDcoDgoDinfoDmeEobiDneDorDscCrryhotelsFpropertiesBfh kgC.aeDcomDeduDgovDmilDn\
        etDorgDusDxxBhC.comDeduDgovDnetDorg kiC.bizDcomDeduDgovDinfoDnetDorgCaCdsCmCndleCtchenCwiBm\
        C.ass km.assoDcomFopDeduDgouvFvDmedecinEilDnomFtairesDorgDpharmaciensErdFesseDtmDveterinair\
        e knC.eduDgovDnetDorgBoelnCmatsuCsherBpC.comDeduDgovDorgDrepDtraCmg kpnBrC.acEiDbusanDc01Eh\
        ungbukInamEoDdaeguGjeonDeliv-apiIcdnIdnsEsDgangwon kr.goEwangjuEyeongbukJgiJnamDhsDincheonE\
        oEtDjejuFonbukHnamDkgDmeEilEmv kr.msDneDorDpeDreDscEeoulDulsanDvkiCdD.coEeduCedBuokgroupBwC\
        .com kw.eduEmbDgovDindDnetDorgByC.comDeduDnetDorgCotoBzC.comDeduDgov kz.jcloudDmilDnetDorgA\
        laC.bnrDcomDeduDgovDinfoFtDnetDorgDperCcaixaCmborghini lamerCndEroverDxessCsalleCtDinoDrobe\
        CwDyerBbC.comDeduDgovDnetDorg lcC.coFmDeduDgovDnetDorgEyBdsBeaseCclercCfrakCgalDoCxusBgbt l\
        iCdlCfeEinsuranceEstyleCghtingCkeCllyCmitedDoCncolnDkE.canvaGyonFdweb*Finbrowser* link.join\
        mcFkeeneticFmyfritzHpepFnftstorage.ipfsFstoracha.ipfsFw3s.ipfsCveE.aemFewp*FhlxDingBkC.acEs\
        snDcom lk.eduDgovErpDhotelDintDltdDnetEgoDorgDschEocDwebBlcCpBoanEs lockerDusClD.omgCndonCt\
        teEoCveBplDfinancialBrC.comDeduDgovDnetDorg lsC.acDbizDcoDeduDgovDinfoDnetDorgDscBtC.govCdD\
        aBuC.123website lundbeckCxeDuryBvC.asnDcomFnfDeduDgovDidDmilDnetDorgByC.comDedu ly.govDidDm\
        edDnetDorgDplcDschAmaC.acDcoDgovDnetDorgDpressCdridCif maisonCkeupCnDagementDgoCpCrketGingG\
        sDriottDshallsCttelBbaBcC.assoDtm mckinseyBdC.irBeC.acDbarsyErasiliaDc66EoEraftDddnsEisksta\
        tionEnsforEscloudDedgestackFu me.filegearL-sgDgovErokDhooc.seproxFptoDi234EtsDlogintoFhmusD\
        mcdirEyboxFdsDnetEohostFip me.orgDprivDsoundcastEynologyDtcp4Eransip.siteDvp4DwebhopCdDiaF.\
        framerCetClbourneCmeDorialCn menuE.barsyKonlineCrckFmsdBgC.coFmDeduDgovDmilDnomDorgDprdBhBi\
        ami microsoftClCniDtCtDsubishiBkC.comDeduDgovDinfDnameEetDorgBlC.ac ml.artEssoDcomDeduDgouv\
        FvDinfoFstDnetDorgDprFesseCbCsBm*Ca mnC.eduDgovDnycDorgBoC.comDeduDgovDnetDorgCbiE.barsyFds\
        cloudEleCda moeCiCmCnashDeyDsterCrmonDtgageCscowCtoErcyclesCvDieBpC.juBq mrC.govBsC.comDedu\
        DgovDminisiteDnetDorgCdBtC.comDeduDnetDorgCn mtrBuC.acDcoFmDgovDnetDorFgCseumDicBvC.aeroDbi\
        zDcomFop mv.eduDgovDinfoFtDmilEuseumDnameEetDorgDproBwC.acDbizDcoFmFop mw.eduDgovDintDnetDo\
        rgBxC.comDeduDgobDnetDorgByC.bizDcomDeduDgov my.milDnameEetDorgBzC.acEdvDcoDeduDgovDmilDnet\
        DorgAnaC.altDco na.comDgovDnetDorgCbCgoyaCmeE.her.forgotGis.forgotFispmanagerFkeeneticCvyBb\
        aBcC.assoDnom neCcCtD.adobeaemcloudJio-staticLruntimeFkadnsHmaiK-stagingKedgeO-stagingKhdM-\
        stagingKoriginQ-stagingKzed net.akamaized-stagingFlwaysdataFpps-1and1HudoFt-band-campGlassi\
        an-dev.prod.cdnFzure-apiKmobileJedgeJfdJstaticappsT.1U2U3U4U5 net.azurestaticapps.6U7Ucentr\
        alusUeastasiaYus2UwesteuropeYus2JwebsitesEbarsyFlackbaudcdnGogdnsFoomlaGtdashGuncemeFplaced\
        Froke-it net.buyshousesEcasacamFdn-edgesH77-sslJ.rFhannelsdvrP.uFlickrisingGoudaccessKppJfl\
        areO.cdnOanycast.cdnOcn.cdnOglobal.cdnKront net.cloudfunctionsJjiffyO.fra1-dePwest1-usJyclu\
        sterFommunity-proFtfcloudEdattolocalFdnsI-ipFe5GbianGfinimaGnoI.sandboxFns-cloud net.dns-dy\
        namicHaliasHdojoHupFoes-itGntexistFsmynasFynaliasIthomeHuIddnsHv6Eeating-organicFdgekeyL-st\
        agingIsuite net.edgesuite-stagingFlastx.jls-sto1S2S3FndofinternetEfamilydsGstly.freetlsLmap\
        Lprod.aQglobalLssl.aPbPglobalKlbM.mapFeste-ip net.firewall-gatewayFrom-azJcoJlaJnyEgbFets-i\
        tFgffFrafana-devEham-radio-opFetemlFicamFomeftpIipIlinuxIunix net.hrsn.vpsFuEicp*FnG-dslHth\
        e-bandHvpnFobbFpifonyGv64Fs-a-chefJgeekGa-geekEjpEkeyword-onFicks-ass net.kinghostFnx-serve\
        rFrellianElive-onFocalcertJto*FuyaniEmafeloGssivegrid.paas.fr-1Vlon-1Z2Vny-1Y2Vsg-1Feinforu\
        mGmset net.moonscaleFyamazeGdattoHissentGeffectGfritzGmediapcGnetname.snGpsxGradwebGsecurit\
        ycameraHpreadshopHynologyEnhlfanFo-ipGw-dns net.office-on-theFninfernoFpikFvh.hosting*Iwebp\
        aas*FwnipEpgafanFodzoneFrivatizehealthinsuranceErackmazeFedirectmeGserve-onlineFoutingthecl\
        oudFuEsaveincloud.jelasticQnordeste-idc net.scaleforce.jGhokokeksGrapper-siteFeGidatGlfipHl\
        s-itGnseeringGrvebbsKlogJftpJminecraftJr-onFhopselectFiteleafFpryt net.square7KsFrcf.socJus\
        erFtatic-accessFubsc-payGpabaseFytesEthruhereForprojectO.pagesFrafficmanagerFsG.c*Funnelmol\
        eFwmail net.ukFni5Fsgovcloudapi.core.blobXfileXwebSservicebusQpJtrafficmanagerEvpndnsGs-hos\
        tM.jelastic.atlWnjsWricFusercontentEwebhopFindows.core.blob net.windows.core.fileRwebMservi\
        cebusEyandexcloudP.storageQwebsiteEzaGbcDbankDflixDworkH.aemJlces*JppwriteJrvoJzimuth netwo\
        rk.coItlonCustarCwDsE.noticeableCxtEdirectDusBfC.artsDcomDfirmDinfoDnetDother nf.perDrecDst\
        oreDwebClBgC.bizG.coHdlHgoHlgHonDcolFmDeduDfirm ng.genEovDiDltdDmilEobiDnameEetEgoDorgDplcD\
        schCoBhkBiC.ac ni.bizDcoFmDeduDgobDinFfoFtDmilDnetEomDorgDwebCcoCkeDon ninjaCssanFyBlC.123w\
        ebsiteDcistronEoDdemonDgovDhosting-clusterDkhplayDmyspreadshopDtransurl*BoC.123hjemmesideDa\
        a no.aa.gsFrborteEejrieEfjordEgdenesEhF.gsEkershus.nesFnoluoktaFrehamnElFaheadjuFesundFgard\
        FstahaugFta no.alvdalEmliFotEndasuoloGebuGoyErdalFemarkGndalFnaEseralFkerGimGoyGvollFnes no\
        .audnedalFkraFreGlandGskog-holandFstevollHrheimEveroyDbadaddjaFhcavuotnaHcavuotnaFidarFjdda\
        rFlatGestrandGlangen no.balsfjordFmbleFrduGumFtsfjordEearalvahkiHduFiarnFrgHenGlevagEievatF\
        ndalFrkenesEjerkreimFugn no.bodoFknFmloEremangerFonnoyKsundFumunddalFyneEuF.gsFdejjuFskerud\
        .nesEyglandFkleDcahcesuoloEo no.davvenjargaIsiidaEeatnuFpEielddanuorriFvtasvuodnaHtasvuotna\
        EonnaFvreErammenGngedalFobakEyroyDegersundEidGfjord no.eidsbergHkogHvollFgersundElverumEneb\
        akkFgerdalEtneHdalEvenassiHesFje-og-hornnesDfarsundFuskeEedjeFt no.fetsundEhsEinnoyFtjarEja\
        lerFellElaGkstadGtangerFekkefjordGsbergForaHoEmF.gsEolkebibl no.folldalFrdeGsandFsnesEranaF\
        edrikstadFognGlandGstaGyaEuoiskuGsskoFsaEylkesbiblFresdalDgaivuotna no.galsaFmvikFngaviikaF\
        ularGsdalEiehtavuoatnaGldaFldeskalFskeEjemnesGrdrumHstadGsdalFovikEloppenEol no.granHeHvinG\
        tangenFimstadFongFueEulenFovdageaidnuDhaFbmerFdselFgebostadFldenGsaFmar no.hamaroyGmarfeast\
        aHerfestFpmirFramGeidGstadFsvikFttfjelldalFugesundEedmark.osLvalerLxn--vler-qoaFmneIsGsedal\
         no.heradEitraEjartdalFelmelandElF.gsEmF.gsEobolFfFkksundFlGeGmestrandGtalenFnefoss no.hord\
        aland.osGnindalGtenFyangerGlandetEurdalGumEvalerEyllestadDibestadEdrettEnderoyEvelandFguDja\
        n-mayenM.gs no.jessheimFvnakerEolsterFndalFrpelandDkafjordFrasjohkaKkGlsoyGmoyFutokeinoEirk\
        enesElabuFeppEommuneFngsberg no.kongsvingerFpervikEraanghkeGgeroFistiansandMundFodsheradGks\
        tadelvaEvafjordGlsundGmGnangenFinesdalHnheradGteseidHsoy no.laakesvuemieFhppiFngevagFrdalGv\
        ikFvagisHngenEeangaviikaFbesbyFikangerGrfjordHvikFkaGsvikFnvikFrdal no.lesjaFvangerEierHneF\
        llehammerIsandFndasHesnesEoabatFdingenFmFppaFrenskogFtenEundGner no.luroyFsterEyngdalHenDma\
        latvuopmiGselvGvikFndalFrkerGnardalFsfjordenGoyFtta-varjjatEelandGdalGhus no.meloyFrakerEid\
        sundGtre-gauldalFlEjondalenEo-i-ranaFarekeFdalenGumFldeFre-og-romsdal.heroyTsandeFsjoenGken\
        esGs no.mrF.gsEuosatFseumEyspreadshopDnaamesjevuemieFmdalseidGsosHskoganFnnestadFroyGviikaI\
        kFustdalFvuotnaEedre-eiker no.nesnaGoddenJtangenGsebyItEissedalFttedalElF.gsEord-aurdalIfro\
        nIodalHdalHkappHland.boMheroy no.nordland.xn--b-5gaQhery-iraHre-landJisaGe-og-uvdalFtoddenG\
        teroyEtF.gsDoddaEfF.gsEksnesElF.gsEmasvuotna no.oppdalGegardErkangerGdalFlandFskogGtaEsenFl\
        oH.gsFoyroFteroyGfold.valerGre-totenEverhallaFre-eiker no.oyerFgardenFstre-slidreDporsanger\
        KuHgrunnErivDradeGoyFhkkeravjuGoltFisaFkkestadFlingenFnaGdaberg no.raumaEeFndalenGnebuIsoyE\
        indalGgebuIrikeHsakerFsorGsaElF.gsEoanFdoyFllag no.romsaHkogFrosFstFykenGrvikEuovatEyggeDsa\
        langenHtGtdalFmnangerFndefjordHnesKsjoenHoy no.sarpsborgFudaGheradEelGbuGjeHordEfF.gsEiella\
        kFgdalFljanFrdalEkanitHlandGun no.skedsmoKkorsetFiGenHrvaGptvetFjakGervoyFodjeElattumEmolaE\
        naaseGsaFillfjordFoasaEogndal no.sogneFkndalFlaGundFmnaFndre-landGgdalenFr-aurdalHfronHodal\
        HvarangerGfoldGreisaGtlandGumEpjelkavik no.spydebergEtF.gsFangeGtHhelleGvangerHernFeigenHnk\
        jerFjordalLshalsenFokkeGr-elvdalHdIal no.storfjordFrandJaGynEulaGdalFndGndalFohkanFrnadalEv\
        albardL.gsFeioGlvikEykkylvenDtana no.tanangerEelemark.boMxn--b-5gaEimeFngvollGnEjeldsundFie\
        lteFomeEmF.gsEokkeFlgaFnsbergFrskenEr no.tr.gsFanaHbyHoyFoandinGgstadGmsaIoGndheimFysilEved\
        estrandEydalFnsetFsfjordGnesGvar no.uenorgeEllensakerJvangFsteinFvikEnjargaEtsiraDvaF.gsFap\
        steFdsoFgaHnGsoyFksdalFlle no.vangGylvenFrdoGggatGoyEefsnFgaHrsheiFnneslaFrdalGranFstbyHfol\
        d.sandeHnesHre-slidreKtoten no.vestvagoyFvelstadEfF.gsEgsEikGnaFndafjordEoagatFldaFssHevang\
        enDxn--andy-iraIsky-iraIurskog-hland-jnbIvery-yua no.xn--bdddj-mrabdIearalvhki-y4aJrlevg-jx\
        aIhcavuotna-s4aKcavuotna-k7aIidr-5nacJevt-0qaIjddar-ptaIlt-elabImlo-graIod-2naIrnny-wuacMsu\
        nd-m8acJum-voaItsfjord-9zaHdavvenjrga-y4a no.xn--dnna-graIrbak-wuaIyry-iraHeveni-0qa01gaHfi\
        nny-yuaIjord-lraIl-ziaJor-jraIrde-graJna-woaJya-hraHggaviika-8ya47hIildeskl-g0aJvuotna-8yaI\
        jvik-wuaIls-elac no.xn--h-2faIamary-fyaIbmer-xqaIcesuolo-7ya35bIgebostad-g3aImmrfeasta-s4ac\
        Inefoss-q1aIobl-iraJltlen-hxaIpmir-xqaIyanger-q1aJlandet-54aHindery-fyaHjlster-byaIrpeland-\
        54aHkarlsy-fya no.xn--karmy-yuaIfjord-iuaIlbu-woaIoluokta-7ya57hIrager-gyaKnghke-b0aJdshera\
        d-m8aJehamn-dxaJjohka-hwab49jIsnes-uuaIvfjord-nxaJitsy-fyaJnangen-k0aHl-1faIaheadju-7yaJnge\
        vg-jxa no.xn--ldingen-q1aIeagaviika-52bJsund-huaIgrd-poacIhppi-xqaIinds-praIoabt-0qaIrdal-s\
        raJenskog-54aIt-liacJen-graIury-iraHmely-iraJrker-kuaIjndalen-64aIlatvuopmi-s4a no.xn--mli-\
        tlaJselv-iuaIoreke-juaJsjen-eyaJt-tlaIre-og-romsdal-qqb.sandeZ.xn--hery-iraIsy-ula0hItta-vr\
        jjat-k7afIuost-0qaHnmesjevuemie-tcbaIry-yla5gIttery-byaeIvuotna-hwaHoppegrd-ixaIstery-fya n\
        o.xn--osyro-wuaHporsgu-sta26fHrady-iraIdal-poaJe-ulaJy-0nabIennesy-v1aIhkkervju-01afJolt-mr\
        aIisa-5naKr-iraIland-uuaJingen-mxaImskog-byaIros-graIskog-uua no.xn--rst-0naKa-fraIyken-vua\
        Jrvik-byaHs-1faIandnessjen-ogbLy-yuaIeral-lraIgne-graIkierv-utaJjervy-v1aKk-soaJnit-yqaKlan\
        d-fxaIlat-5naJt-elab no.xn--smla-hraJna-graInase-nraJdre-land-0cbJes-poaJsa-roaIr-aurdal-l8\
        aKfron-q1aKodal-q1aKvaranger-ggbJfold-byaJreisa-q1aJum-graItfold-9xa.xn--vler-qoaJjrdal-s1a\
        Oshalsen-sqb no.xn--stre-toten-zcbHtjme-hraInsberg-q1aIrany-yuaJgstad-r1aJna-woaJoms-zuaIys\
        vr-vraHunjrga-rtaHvads-jraJrd-jraIegrshei-c0aJstvgy-ixa6oIg-yiabJan-qoaJsy-qoa0j no.xn--vre\
        -eiker-k8aJggt-xqadJy-yla5gHyer-znaIgarden-p1aIstre-slidre-ujbCkiaCrtonCwD.dynEhereDruzDtvB\
        p*BrC.biz nr.comDeduDgovDinfoDnetDorgCaCwBttBuC.enterprisecloudDmerseineEineDshacknetBycBz \
        nz.acDcloudnsEoEriDgeekFnEovtDhealthDiwiDkiwiDmaoriEilDnetDorgDparliamentDschool nz.xn--mor\
        i-qsaAobiCserverBfficeBkinawaBlayanGgroupCloBmC.coFmDeduDgovDmedEuseumDnet om.orgDproCegaBn\
        eD.kin*EserviceEwebsiteCgCionClDineG.barsyIookHeeroL-stageHheimdns online.leapcellHwebsiteb\
        uilderBooBpenBracleDngeG.techCgD.accesscamFeFltervistaEbarsyFlogdnsIsiteFmoattachmentsFoldl\
        ygoingnowhere org.cable-modemGmdvrFdn77-secure.origin.sslJ.cKrscFloudnsFollegefanGuchpotato\
        friesEddnssFnsaliasHdojoFoesntexistGntexistGomdnsFpdnsFsmynas org.duckdnsFvrdnsFynaliasHdns\
        K.goLhomeHservEendofinternetJtheinternetFuG.alIssoItIuHbeIg org.eu.caIdIhInIyIzHdeIkHeduIeI\
        sHfiIrHgrHhrIu org.eu.ieIlInJtIsItHjpHkrHltIuIvHmeIkItIyHnet org.eu.ngIlIoIzHplItHroIuHseIi\
        IkHtrHukIsEfamilydsFedorainfracloud org.fedorapeopleLroject.cloudSos.appSstg.os.appFreeddns\
        JesktopGom-meFspagesEgame-hostFotdnsEhatenadiaryFepforgeFkFobby-siteGmednsIftp org.homelinu\
        xIunixGptoFttpbinEin-dslHvpnFp-dynamicFs-a-bruinsfanJcandidateKelticsfanKhefJgeekJknightJli\
        nux-userJpatsfanJsoxfan org.is-foundHlocalJstHsavedHvery-badMevilMgoodMniceMsweetGa-geekEjp\
        nFsEkicks-assEmisconfusedFlbfanFy-firewall org.myfirewallHtpGsecuritycameraGwireEnflfanFo-i\
        pGw-dnsEpimientaFodzoneGivronGtagerFubtlsEread-booksImyblogFoutingthecloudGxa org.selfipHls\
        yourhomeGrvebbsJftpJgameFmall-webFpdnsFtuff-4-saleFweetpepperEteckids.s3FoolforgeFunkGxfami\
        lyFwmailEufcfanFs org.webhopHredirectFmcloudL.betaGflabsEzaGptoDanicCiginsBsakaBtsukaCtBvhD\
        .nerdpolApaC.abo pa.acDcomDeduDgobDingDmedDnetEomDorgDsldCgeE.aemFcodebergFdeuxfleursFheyfl\
        owGlx page.myboxFpdnsGleskGrvcyFrockyFstatichostCnasonicCrisDsDtnersEsEyCyBccwBeC.com pe.ed\
        uDgobDmilDnetEomDorgCtBfC.comDeduDorgCizerBg*BhC.cloudnsEom ph.eduDgovDiDmilDnetEgoDorgCarm\
        acyCdCilipsConeDtoFgraphyFsG.framerCysio picsDtetEuresI.1337CdCnDgDkConeerCzzaF.ngrokBkC.ac\
        DbizDcomDedu pk.famDgkpEobFgFkFpFsFvDnetDorgDwebBlC.agroEidErtEtm pl.augustowFtoDbabia-gora\
        EedzinFepFskidyEialowiezaHystokFelawaHskoGszczadyFzEoleslawiecEydgoszczFtomDcfolks pl.ciesz\
        ynEoFmEzeladzGstDdfirmaEkontoElugolekaDecommerce-shopEduElblagFkDgdaGnskFyniaEliwice pl.glo\
        gowEminaEnieznoEorliceFvG.apHgriwHicIsHkmpspIonsulatIppspIwpKspHmupIw pl.gov.oiaJrmIkeIowIs\
        chrIumHpaIinbJwIoIrIspJseIupHrzgwHsa pl.gov.sdnIkoIoIrItarostwoHugJimImJigIpowJpoIsIwIzsHwi\
        fJih pl.gov.winbJosJtdJwIkzIsaJkrJseIuozIzmiuwHzpJisdnErajewoEsmDhomesklepDilawa pl.infoDja\
        worznoEelenia-goraEgoraDkaliszFrpaczGtuzyFszubyFtowiceFzimierz-dolnyEepnoFtrzynElodzkoEobie\
        rzyceFlobrzegFnin pl.konskowolaErakowGsnikEutnoDlapyEeborkFcznaFgnicaFzajskEimanowaEodzFmza\
        FwiczEubartowGinGlin pl.lukowDmailFlborkGopolskaFzowszeGuryEedGiaEiastaFelecHnoFlEragowoEys\
        preadshopDnakloEet pl.nieruchomosciEomFwarudaEysaDolawaFeckoFkuszFsztynEpocznoGleErgEstroda\
        IlekaIwiecJwlkpDpabianice pl.pcEilaFszElockEodhaleGlasieFlkowiceFmorskieIzeFniatowaFwiatFzn\
        anErivFochowiceFuszkowFzeworsk pl.pulawyDradomFwa-mazEealestateFlEybnikEzeszowDsanokEdsclou\
        dEejnyFxEhopHarenaEieradzFmplesiteEkierniewice pl.sklepFoczowElaskFupskEopotFsGnowiecEtalow\
        a-wolaGrachowiceHgardEuwalkiEwidnicaJkGebodzinGnoujscieEzczecin pl.szczytnoFkolaDtargiGnobr\
        zegEgoryEmEorunFurismEravelEurekGystykaEychyDunicloudEstkaDwalbrzychFrmia pl.warszawaFwEegr\
        owEielunEloclIawekEodzislawFlominErocHlawDyou2DzachpomorFganFkopaneFrowEgierz pl.zgoraHzele\
        cCaceF.coDyEstationCumbingDsE.playitL.at*MwithBmC.nameDownBnC.co pn.eduDgovDnetDorgCcBohlCk\
        erClitieCrnCstBrC.acDbizDcomDeduEst pr.govDinfoEslaDnameEetDorgDproGfCaxiCessCimeCoD.aaaFca\
        GctFvocat pro.barHsyEcloudnsFpaEengEjurEkeeneticElawEmedEngrokErechtDdEuctionsDfDgressiveDm\
        o propertiesHyDtectionCuDdentialBsC.comDeduDgovDnetDorgDploDsecBtC.123paginawebDcom pt.eduD\
        govDintDnetEomeDorgDpublBubD.barsyEid*Ekin*BwC.cloudnsDgovDx443Cc pyC.comFopDeduDgovDmilDne\
        tDorgAqaC.comDeduDgovDmilDnameEetDorg qa.schBponBuebecDstAracingCdioBeC.assoDcanEomDnetlibC\
        adDlestateEtorFyCcipes redDumbrellaChabCiseFnDtClianceCnDtEalsCpairDortDublicanCstEaurantCv\
        iew reviewsH.aemCxrothBichEardliDohClCoCpD.clanBoC.artsDbarsyDcoFmDfirm ro.infoDnomEtDorgDr\
        ecDshopEtoreDtmDwwwCcksF.lima-cityGmyddnsGstackitGwebspaceCdeoCgers roomBsC.acDbarsyErendly\
        .shopDcoDeduDgovDinDorgExCvpBuC.acEdygeyaDbashkiria ru.birDcbgEldmail.hbEomDdagestanDeduEur\
        odirDgovEroznyDintDkalmykiaEustanaiDmarineEcdirI.vpsFpre ru.milFrcloudEordoviaEskEyjinoJ.ho\
        sting*Klanding*Kspectrum*Kvps*FtisDna4uFlchikEetEovDorgDpp ru.pyatigorskDrasDspbDvladikavka\
        zImirCgbyChrCnD.appwrite*Ebuild*EcanvaFode*Edatabase*FevelopmentEliaraJ.iran run.lovableEmi\
        gration*EneedleEonporterEravendbFeplEstackitEvalH.webFercelEwixBwC.acDcoFopDgov rw.milDnetD\
        orgCeByukyuAsaC.comDeduDgovDmedDnetDorgDpubDschCarlandCfe safetyCkuraCleDonCmsclubEungCndvi\
        kHcoromantDofiCpCrlCsCveCxoBbC.com sb.eduDgovDnetDorgCiCsBcC.comDeduDgovDnetDorgCbChaeffler\
        DmidtDolarships schoolDuleDwarzCienceCotE.coFgovI.serviceFmeGygovForgBdC.comDeduDgovDinfo s\
        d.medDnetDorgDtvBeC.123minsidaDaEcDbEdErandDcEomDdDeDf se.fhFskFvDgDhDiEopsysEtcouldbeworDk\
        EomforbGmunalforbundGvuxDlEanbibDmEyspreadshop se.nEaturbruksgymnDoErgDpEartiEpEressDrDsDtE\
        mDuDwDxDy se.zCarchDtCcureFityCekClectCnerCrvicesI.loginlineCvenCwCxDyBfrBg sg.comDeduEnsca\
        ledDgovDnetDorgBhC.botdaDcomDgovDhashbangDlovableDmilDnetEowDorg sh.platform.entNuMusDtelep\
        ortCangrilaDrpCellCiaDkshaCoesDpE.barsyKonlineHseFhoplixFshopware shoppingDujiDwE.msBiC.f5D\
        gitappGpageClkCnaDglesCteE.barsyGyenFcaffeineHnva.my site.chatgptGloudera*GoHnvexL.eu-west-\
        1Mus-east-1GpanelGyonFfastvpsGigmaK-govFheyflowFjeleGouwwebFloginlineFmadethis site.notionH\
        vecoreFomniweGpensocialFpieboxGlatformsh*IycodeGreviewGuterFscwI.amsJwawGolHurcecraftGquare\
        Grht site.supportFtst*FwpsquaredBjBkC.orgCiDnCyDpeBlC.comDeduDgovDnetDorg slingBmCartCileBn\
        C.artDcomDeduDgouvDorgDunivCcfBoC.comDeduDgov so.meDnetDorgDsurveysCccerDialCftbankEwareChu\
        ClarDutionsCngDyCyBpaDce space.app-ionosGdeployagentGheiyuHfI.staticGmyfastGprojectGuberGvi\
        behostGxs4allCortDtBrClBsC.biz ss.coFmDeduDgovDmeDnetDorgDschBtC.cn*EoFmFnsuladoDeduEmbaixa\
        daDhelioho st.kiraraDmilDnetEohoDorgDprincipeDsaotomeEtoreCadaDplesDrDtebankFfarmCcDgroupCo\
        ckholm storageEeF.barsyGsellfyHhopwareHtorebaseCreamCudioEyCyleBuC.abkhaziaEdygeyaEktyubins\
        kErkhangelskFmenia su.ashgabadEzerbaijanDbalashovFshkiriaEryanskEukharaDchimkentDdagestanDe\
        ast-kazakhstanExnetDgeorgiaEroznyDivanovoDjambylDkalmykiaGuga su.karacolHgandaGeliaEhakassi\
        aErasnodarEurganFstanaiDlenugDmangyshlakEordoviaEskEurmanskDnalchikFvoiEorth-kazakhstanFv s\
        u.obninskDpenzaEokrovskDsochiEpbDtashkentEermezEogliattiEroitskEselinogradEulaFvaDvladikavk\
        azImirEologdaCcks suppliesFyEortH.barsyCrfDgeryCzukiBvC.comDeduDgobDorgDredBwatchCissBx sx.\
        govByC.comDeduDgovDmilDnetDorgCdneyCstemsH.knightpointImirenBzC.acDcoDorg tabCipeiClkCobaoC\
        rgetCtamotorsErDtooCxDiBcCiBdCkBeamE.discourse team.jelasticCchE.cleverappsEnologyK.coClCma\
        sekCnnisCvaBfC.schBgBhC.acDcoDgo th.inDmiDnetDonlineErDshopCdCeaterFreBiaaCcketsCendaCpsCre\
        sDolBj tj.bizDcoFmDeduDgoFvDintDmilDnameEetEicDorgDtestDwebCmaxxCx tkCmaxxBlC.govBmC.coFmDe\
        duDgovDmilDnetEomDorgCallBnC.com tn.ensDfinDgovDindFfoFtlDmincomDnatEetDorangecloudFgDperso\
        DtourismBoC.611Dcom to.eduDgovDmilDnetGtDorgEyaDquickconnect.directDvpnplusDx0CdayF.prequal\
        ifymeCkyoColsF.addr.dynGmyaddr topD.ntdllEwadl*CrayCshibaCtalCursCwnCyotaDsBrC.avDbbsEelEiz\
        Dcom tr.drDeduDgenEovDinfoDk12EepDmilDnameEcF.govEetDorgDpolDtelEsk tr.tvDwebCadeEingDining\
        DvelGersJinsuranceCustCvBtC.bizDcoFmDeduDgov tt.infoDmilDnameEetDorgDproBubeCiCnesCshuBvC.b\
        etter-thanDdyndnsDfromDon-the-webDsakura tv.worse-thanCsBwC.clubEomG.mymailerDebizEduDgameE\
        ovDidvDmilEydnsDnetDorgDurl tzC.acDcoDgoDhotelDinfoDmeEilEobiDneDorDscDtvAuaC.bizDcc ua.che\
        rkassyKyHnigovJhivJvtsiIovtsyEkEnEoFmErFimeaEvExDdnFepropetrovsk ua.dnipropetrovskEonetskEp\
        DeduDgovDifEnFfEvano-frankivskDkhFarkivIovFersonFmelnitskiyJytskyiEiev ua.kirovogradEmErFop\
        yvnytskyiFymEsEvEyivDlgEtFdEuganskFhanskFtskEvFiv ua.mkEykolaivDnetEikolaevDodFesaHsaErgDpl\
        EoltavaEpDrivneEovnoEvDsbEebastopol ua.sevastopolEmEumyDteFrnopilDuzFhgorodGhorodDvEinnicaH\
        ytsiaEnEolynDyaltaDzakarpattiaFporizhzhe ua.zaporizhzhiaEhitomirFytomyrEpEtBbankCsBgC.acDco\
        FmDeduDgoFvDmilDne ug.orFgDscDusBkC.acDbarsyDcoF.adimoGbarsyLonlineGlayershift.jGmyspreadsh\
        opGnh-servHo-ipGretrosnub.cust uk.connFproDgovG.apiHcampaignHserviceDhospDindependent-commi\
        ssionPinquestTiryPpanelPreviewDltdDmeDnetEhs uk.nimsiteDoraclegovcloudapps*FgG.affinitylott\
        eryHglugHlugKsHraffleentryHweeklylotteryDplcEoliceEublic-inquiryEymntDroyal-commissionDsch*\
        Bnicom universityCoBolBpsBsC.akF.ccGk12GlibElF.ccGk12GlibErF.ccGk12 us.ar.libEsF.ccGk12Glib\
        EzF.ccGk12GlibFure-apiIwebsitesDcaF.ccGk12GlibEloudns us.coF.ccGk12GlibEtF.ccGk12GlibDdcF.c\
        cGk12GlibEeF.ccEniDenscaled.phx us.flF.ccGk12GlibEreeddnsDgaF.ccGk12GlibEolffanEuF.ccGk12Gl\
        ibDheliohostEi us.hi.ccGlibDiaF.ccGk12GlibEdF.ccGk12GlibElF.ccGk12GlibEnF.cc us.in.k12GlibE\
        s-byFaDksF.ccGk12GlibEyF.ccGk12GlibDlaF.ccGk12Glib us.land-4-saleDmaF.ccGk12J.chtrKparochLv\
        tGlibEdF.ccGk12GlibEeF.ccGk12Glib us.miF.ann-arborGccHogGdstGeatonGgenGk12GlibGmusGtecGwash\
        tenawFrcloudEnF.ccGk12 us.mn.libEoF.ccGk12GlibEsF.ccGk12EtF.ccGk12GlibDncF.ccGk12Glib us.nd\
        EeF.ccGk12GlibEgoEhF.ccGk12GlibEjF.ccGk12GlibEmF.cc us.nm.k12GlibEoipEsnEvF.ccGk12GlibEyF.c\
        cGk12GlibDohF.ccGk12Glib us.okF.ccGk12GlibErF.ccGk12GlibDpaF.ccGk12GlibEointtoErF.ccGk12 us\
        .pr.libDriF.ccGlibDscF.ccGk12GlibEdF.ccGlibEervernameErvG.ghIlEtuff-4-sale us.tnF.ccGk12Gli\
        bExF.ccGk12GlibDutF.ccGk12GlibDvaF.ccGk12Glib us.viF.ccGk12GlibEtF.ccGk12GlibDwaF.aberdeenG\
        bainbridge-islHellevueHremertonGccHentraliaHhehalis us.wa.forksGgig-harborGhoquiamGk12Heypo\
        rtHingstonGlibGolympiaGport-angelesLludlowLorchardLtownsendIulsboGredmondIntonGsea us.wa.se\
        attleIquimHheltonHilverdaleGyarrow-pointEiF.ccGk12GlibEvF.ccEyF.ccGk12GlibBy uy.comDeduDgub\
        EvDmilDnetDorgBzC.coFmDnetDorgAvaCcationsCnaDguard vcC.0e*DcomDeduDgovEvF.dDmilEydnsDnetDor\
        gBeC.artsDbibDcoFm ve.e12EduEmprendeDfirmDgobFvDiaEnfoFtDmilDnetEomDorgDrarEecDstore ve.tec\
        DwebCgasCnturesCrisignDsicherungCtBgC.eduBiC.coFmDk12DnetDorgCajes videoCgCkingCllasCnCpD.h\
        idnsCrginCsaDionCvaDoBlaanderenBnC.acEi vn.angiangDbacgiangGkanGlieuGninhFria-vungtauEentre\
        EinhdinhIuongHphuocHthuanFzDcamauFnthoFobangEom vn.daklakGnongFnangEienbienEongnaiHthapDedu\
        DgialaiEovDhagiangFiduongGphongFnamGoiFtinhFugiang vn.healthEoabinhEueFngyenDidEnfoFtEoDkha\
        nhhoaEiengiangEontumDlaichauFmdongFngsonFocaiEongan vn.namdinhGeEetEgheanEinhbinhHthuanDorg\
        DphuthoGyenEroDquangbinhInamJgaiJinhItriDsoctrang vn.sonlaDtayninhEhaibinhHnguyenGnhhoaIpho\
        hochiminhFuathienhueEiengiangEravinhEuyenquangDvinhlongHphucDyenbaiBodkaClvoCte votingDoCya\
        geBuC.comDeduDnetDorgAwalesDmartDterCngEgouCtchFesBeather weatherchannelCbDcamDerDsiteH.fra\
        merCdDdingCiboDrBfC.bizDschBhoswhoBienCki wiki.framerClliamhillCnDdowsDeDnersBmeBoodsideCrk\
        E.imagine-proxyFputerEsDldCwBsC.advisor* ws.cloud66EomDdyndnsDeduDgovDmypetsDnetDorgBtcCfD.\
        ddnsAxboxBeroxBihuanCnBn--11b4c3d xn--1ck2e1bFqqw23aE2scrj9cE30rr7yFbst00mFds443gFe0b707eFh\
        crj9cFpxu8kE42c2d9aF5br5cylIj9cGq11cFdbrk0ceM.xn--4dbgdty6cR5dbhl8d xn--4dbrk0ce.xn--8dbq2a\
        Rhebda8bFgbrimE54b7fta0ccF5qw42gHx5dFsu34j936bgsgFtzm5gE6frz82gFqq986b3xlE80adxhksHo21aHqec\
        dr1aHsehdbIwgFy0a063a xn--90a3acK.xn--80auP90azhPc1avgPd1atPo1acThHeHisFdbq2aFet52uFkrt00aE\
        b4w605ferdFck1b9a5dre4cEc1avgF2br7g xn--cck2b3bHwcxetdFg4bkiFlchc0ea0b2g2a9gcdFzr694bHs0tHu\
        2dEd1acj3bHlfEe1a4cFckvdtc9dFfvy88hEfct429kFhbeiFiq228c5hsH64b xn--fiqs8sHz9sFjq720aFlw351e\
        Fpcrj9c3dFzc2c9e2cGys8d69uvgmEg2xx48cFckr3f0fFecrj9cFk3at1eEh2breg3eveIj9cL8cFxt814eEi1b6b1\
        a6a2e xn--imr513nFo0a7iEj1aefHmhF6w193gL.xn--55qx5dQgmqw5aQmxtq1mQod0algQuc0atvQwcvs22dFlq4\
        80n2rgFvr189mEkcrx77d1x4aFprw13dHy57d xn--kput3iEl1accFgbbat1ad8jEmgb2ddesH9awbfHa3a3ejtK4f\
        16aMraI7c0bbn0aIam7a8hIb2bdIh1a3hjkrdIi9a5eva00bLzgqp6jIyh7gpaHbh1a xn--mgbbh1a71eHc0a9azcg\
        Ia7dzdoIpq6gpa1aHerp4a5d4a87gQrHgu82aHi4ecexpHpl2fhHqly7c0a67fbcMvafrHt3dhdIf8flIx2bHx4cd0a\
        bFix082f xn--mix891fFk1bu44cFxtq1mEngbc5azdHe9e0aHrxFnx388aFodeFqv7fJs00emaFyqy26aEo3cw4hK.\
        xn--12c1fe0brSfi8ixb8lSo0c3b4evaPh3cuzk1di xn--o3cw4h.xn--m3ch0j3aPo3cyx2aFgbpf8flFtu796dEp\
        1acfJ.xn--41aO80aaa0cvacO90a1afRmcOc1avgOh1ahnRlizOj1adpRefSl8bHi xn--pgbs0dhFssy2uEq7ce6aF\
        9jyb4cFcka1pmcFxa6aHmErhqv96gFovu88bFvc1e0am3eEs9brj9cFes554gEt60b56aFckweFiq49xqyjEunup4y \
        xn--vermgensberater-ctbRung-pwbFhquvFuq861bEw4r85el8fhu5dnraHs40lFgbh1cHl6aExhq521bFkc2al3h\
        ye2aIdl3a5ee0hEy9a3aqFfro4i67oFgbi2ammxEzfr164bBxx xyzD.botdashEcaffeineEexeEopentunnelEtel\
        ebit*AyachtsChooCmaxunCndexBeC.comDeduDgovDmilDnet ye.orgBodobashiCgaCkohamaCuDtubeBtC.orgB\
        unAza.acEgricEltDcoDeduDgovErondar za.lawDmilDnetEgoEicFsEomDorgDschoolDtmDwebCpposCraBeroB\
        ipBm zm.acDbizDcoFmDeduDgovDinfoDmilDnetDorgDschBoneE.limaFprg1-zeropsFstackitFtriton* zone\
        .zerops*BuerichBwC.acDcoDgovDmilDorg
        """
}
